import { setTimeout } from 'node:timers/promises';
import { McpClientError } from '@plugboard/client';
import { type Server, toPlugboardError } from '@plugboard/contract';
import { repairList } from '@plugboard/schema';
import { isJsonObject, type JsonObject, RPC_CODE } from '@plugboard/wire';
import { textAt } from '../../rpc/members.js';
import type { UpstreamClient } from '../../connection/upstream-client.js';
import type { LinkUse, UpstreamPool } from '../../connection/upstream-pool.js';
import { LIST_SHAPES, type ListKind } from './list-kind.js';
import type { ServerOutcome } from './server-outcomes.js';

export interface OfferPage {
  readonly items: readonly JsonObject[];
  readonly nextCursor: string | undefined;
}

interface Kept extends OfferPage {
  readonly at: number;
}

export interface OfferAnswer {
  /** As last known; empty when nothing is. */
  readonly page: OfferPage;
  readonly outcome: ServerOutcome;
}

export interface OfferBookOptions {
  readonly upstream: UpstreamPool;
  /** On whose behalf servers are asked; the hub's when left out. */
  readonly user?: LinkUse | undefined;
  /** Lends the connection that servers are asked on; that of the user when left out. */
  readonly use?: (<Result>(work: (client: UpstreamClient) => Promise<Result>) => Promise<Result>) | undefined;
  /** What is kept of a page. */
  readonly keep?: ((server: Server, kind: ListKind, items: readonly JsonObject[]) => readonly JsonObject[]) | undefined;
  /** How long somebody who asks may wait for a server that was never asked before, or whose list changed. */
  readonly waitMs?: number | undefined;
}

const NOTHING: OfferPage = { items: [], nextCursor: undefined };
const DEFAULT_WAIT_MS = 1500;
const FRESH_MS = 30_000;
const PAGE_MS = 10_000;
/** When a list was read that is said to have changed since. */
const CHANGED = Number.NEGATIVE_INFINITY;
const MAX_LATER_PAGES = 100;
const MAX_LATER_ITEMS = 10_000;

const keyOf = (id: string, kind: ListKind): string => `${kind} ${id}`;

const readPage = (kind: ListKind, result: unknown): OfferPage => {
  const { method, member } = LIST_SHAPES[kind];
  const holder = repairList(method, isJsonObject(result) ? result : {}) ?? {};
  const items = holder[member];
  const next = holder['nextCursor'];
  return {
    items: Array.isArray(items) ? items.filter(isJsonObject) : [],
    nextCursor: typeof next === 'string' ? next : undefined,
  };
};

const isUnknownMethod = (thrown: unknown): boolean =>
  thrown instanceof McpClientError && thrown.rpc?.code === RPC_CODE.methodNotFound;

/**
 * The first page of each server's prompts, resources and templates: kept, served at once, renewed behind. What later
 * pages brought is remembered, so that the client that listed it can use it.
 */
export class OfferBook {
  readonly #options: OfferBookOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #later = new Map<string, Map<string, JsonObject>>();
  /** When a list was last read to its end. */
  readonly #readOn = new Map<string, number>();
  readonly #failures = new Map<string, ServerOutcome>();
  readonly #fetching = new Map<string, Promise<void>>();

  constructor(options: OfferBookOptions) {
    this.#options = options;
  }

  /** What is known now, without asking anybody. */
  known(server: Server, kind: ListKind): readonly JsonObject[] {
    const key = keyOf(server.id, kind);
    return [...(this.#kept.get(key)?.items ?? []), ...(this.#later.get(key)?.values() ?? [])];
  }

  async firstPage(server: Server, kind: ListKind): Promise<OfferAnswer> {
    if (!this.#mayOffer(server, kind)) return { page: NOTHING, outcome: { state: 'none' } };
    const key = keyOf(server.id, kind);
    const kept = this.#kept.get(key);
    if (kept !== undefined && performance.now() - kept.at < FRESH_MS) {
      return { page: kept, outcome: { state: 'ready' } };
    }
    const fetching = this.#fetch(server, kind);
    if (kept === undefined || kept.at === CHANGED) await this.#patiently(fetching);
    return {
      page: this.#kept.get(key) ?? NOTHING,
      outcome: this.#failures.get(key) ?? { state: this.#kept.has(key) ? 'ready' : 'slow' },
    };
  }

  /** A later page, straight from the server. */
  async laterPage(server: Server, kind: ListKind, cursor: string): Promise<OfferPage> {
    const signal = AbortSignal.timeout(PAGE_MS);
    const { method } = LIST_SHAPES[kind];
    const result = await this.#use(server, (client) => client.request(method, { cursor }, { signal }));
    const page = this.#page(server, kind, result);
    this.#remember(keyOf(server.id, kind), kind, page.items);
    return page;
  }

  /** Reads on to the end, for somebody who asks for what no page so far has; a server that fails has no more. */
  async readOn(server: Server, kind: ListKind): Promise<void> {
    const key = keyOf(server.id, kind);
    if (performance.now() - (this.#readOn.get(key) ?? Number.NEGATIVE_INFINITY) < FRESH_MS) return;
    this.#readOn.set(key, performance.now());
    let cursor = (await this.firstPage(server, kind)).page.nextCursor;
    for (let page = 0; cursor !== undefined && page < MAX_LATER_PAGES; page += 1) {
      cursor = await this.laterPage(server, kind, cursor).then(
        ({ nextCursor }) => nextCursor,
        () => undefined,
      );
    }
  }

  /** The server says that the list changed: what is kept counts as old. */
  invalidate(id: string, capability: 'prompts' | 'resources'): void {
    const kinds: readonly ListKind[] = capability === 'prompts' ? ['prompts'] : ['resources', 'templates'];
    for (const kind of kinds) {
      const kept = this.#kept.get(keyOf(id, kind));
      if (kept !== undefined) this.#kept.set(keyOf(id, kind), { ...kept, at: CHANGED });
      // What is being read may be what was there before.
      this.#fetching.delete(keyOf(id, kind));
      this.#later.delete(keyOf(id, kind));
      this.#readOn.delete(keyOf(id, kind));
    }
  }

  /** Forgets servers that are gone. */
  retain(ids: ReadonlySet<string>): void {
    for (const map of [this.#kept, this.#later, this.#readOn, this.#failures]) {
      for (const key of map.keys()) if (!ids.has(key.slice(key.indexOf(' ') + 1))) map.delete(key);
    }
  }

  #remember(key: string, kind: ListKind, items: readonly JsonObject[]): void {
    const later = this.#later.get(key) ?? new Map<string, JsonObject>();
    this.#later.set(key, later);
    for (const item of items) {
      const name = textAt(item, LIST_SHAPES[kind].key);
      if (name !== undefined && later.size < MAX_LATER_ITEMS) later.set(name, item);
    }
  }

  #mayOffer(server: Server, kind: ListKind): boolean {
    const facts = this.#options.upstream.facts(server.id);
    return facts === undefined || facts.capabilities[LIST_SHAPES[kind].capability] !== undefined;
  }

  #fetch(server: Server, kind: ListKind): Promise<void> {
    const key = keyOf(server.id, kind);
    const running = this.#fetching.get(key);
    if (running !== undefined) return running;
    const isCurrent = (): boolean => this.#fetching.get(key) === fetching;
    const fetching: Promise<void> = this.#use(server, (client) => client.request(LIST_SHAPES[kind].method, undefined))
      .then(
        (result) => (isCurrent() ? this.#keep(key, this.#page(server, kind, result)) : undefined),
        (thrown: unknown) => {
          if (!isCurrent()) return;
          if (isUnknownMethod(thrown)) this.#keep(key, NOTHING);
          else this.#failures.set(key, { state: 'failing', code: toPlugboardError(thrown).code });
        },
      )
      .finally(() => {
        if (isCurrent()) this.#fetching.delete(key);
      });
    this.#fetching.set(key, fetching);
    return fetching;
  }

  #use<Result>(server: Server, work: (client: UpstreamClient) => Promise<Result>): Promise<Result> {
    const { use, upstream, user } = this.#options;
    return use === undefined ? upstream.use(server, work, user) : use(work);
  }

  #page(server: Server, kind: ListKind, result: unknown): OfferPage {
    const page = readPage(kind, result);
    const { keep } = this.#options;
    return keep === undefined ? page : { ...page, items: keep(server, kind, page.items) };
  }

  #keep(key: string, page: OfferPage): void {
    this.#kept.set(key, { ...page, at: performance.now() });
    this.#failures.delete(key);
  }

  async #patiently(fetching: Promise<void>): Promise<void> {
    const patience = new AbortController();
    try {
      const tired = setTimeout(this.#options.waitMs ?? DEFAULT_WAIT_MS, undefined, { signal: patience.signal });
      await Promise.race([fetching, tired]);
    } finally {
      patience.abort();
    }
  }
}
