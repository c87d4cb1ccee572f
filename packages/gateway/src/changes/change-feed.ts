import type { CatalogueSnapshot } from '@plugboard/contract';
import { buildNotification, isJsonObject, type JsonRpcNotification } from '@plugboard/wire';
import type { OfferBooks } from '../aggregate/offer-books.js';
import type { CatalogueSource } from '../catalogue-source.js';
import type { Scope } from '../scope/scope.js';
import { textAt } from '../rpc/members.js';
import { isTaskStatus } from '../task/task-feed.js';
import type { UpstreamLink } from '../upstream/upstream-link.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';
import type { Audience, ListArea } from './audience.js';
import { PacedTelling } from './paced-telling.js';

const LIST_CHANGED: Readonly<Record<string, ListArea>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/prompts/list_changed': 'prompts',
  'notifications/resources/list_changed': 'resources',
};

/** They name requests by ids that the hub gave: the client knows none of these, or takes them for its own. */
const OF_REQUESTS: ReadonlySet<string> = new Set(['notifications/cancelled', 'notifications/progress']);

/** Long enough for the catalogue to have asked the server again, so that whoever asks us sees what is new. */
const ECHO_MS = 700;

const fingerprint = (scope: Scope): string => {
  try {
    return JSON.stringify(scope.tools().map(({ definition }) => definition));
  } catch {
    // The server of the endpoint was removed or switched off.
    return '';
  }
};

export interface ChangeFeedOptions {
  readonly catalogue: CatalogueSource;
  readonly upstream: UpstreamPool;
  readonly books: OfferBooks;
  /** What the client of a connection is told outside any call, in the words that it knows. */
  readonly toClient?: ((link: UpstreamLink, notification: JsonRpcNotification) => JsonRpcNotification) | undefined;
}

/** Brings what servers and the catalogue announce to those who want to hear it, each once. */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #audiences = new Set<Audience>();
  readonly #seen = new Map<Scope, string>();
  readonly #echoes = new Map<string, NodeJS.Timeout>();
  readonly #stop: readonly (() => void)[];
  readonly #merged = new PacedTelling({ tell: () => this.#compare('merged') });

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#stop = [
      options.catalogue.onChange((snapshot) => this.#catalogueChanged(snapshot)),
      options.upstream.onNotification((link, notification, ofCall) => this.#hear(link, notification, ofCall)),
    ];
  }

  get size(): number {
    return this.#audiences.size;
  }

  add(audience: Audience): () => void {
    this.#audiences.add(audience);
    if (!this.#seen.has(audience.scope)) this.#seen.set(audience.scope, fingerprint(audience.scope));
    return () => {
      this.#audiences.delete(audience);
      if (![...this.#audiences].some(({ scope }) => scope === audience.scope)) this.#seen.delete(audience.scope);
    };
  }

  close(): void {
    for (const stop of this.#stop) stop();
    for (const timer of this.#echoes.values()) clearTimeout(timer);
    this.#echoes.clear();
    this.#merged.close();
    this.#audiences.clear();
  }

  #catalogueChanged({ entries }: CatalogueSnapshot): void {
    this.#options.books.retain(new Set(entries.map(({ server }) => server.id)));
    this.#compare('server');
    // At a first start the lists of all servers come one after the other; nobody wants to hear of each.
    this.#merged.notice();
  }

  #compare(kind: Scope['kind']): void {
    for (const [scope, before] of this.#seen) {
      if (scope.kind !== kind) continue;
      const after = fingerprint(scope);
      if (after === before) continue;
      this.#seen.set(scope, after);
      for (const { id } of scope.kind === 'server' && after !== '' ? scope.servers() : []) this.#forgetEcho(id);
      this.#tellLists('tools', (audience) => audience.scope === scope);
    }
  }

  #hear(link: UpstreamLink, notification: JsonRpcNotification, ofCall: boolean): void {
    const area = LIST_CHANGED[notification.method];
    if (area === 'tools') {
      this.#echo(link.server.id);
    } else if (area !== undefined) {
      this.#options.books.invalidate(link.server.id, area);
      this.#tellLists(area, (audience) => this.#hears(audience, link));
    } else if (notification.method === 'notifications/resources/updated') {
      this.#resourceUpdated(link, notification);
    } else if (!ofCall && !OF_REQUESTS.has(notification.method) && !isTaskStatus(notification)) {
      const { toClient = (_link, same) => same } = this.#options;
      link.identity.session?.channel.notify(toClient(link, notification));
    }
  }

  /** A session that has a connection of its own hears that one only. */
  #hears({ scope, session }: Audience, link: UpstreamLink): boolean {
    if (link.identity.session !== undefined) return link.identity.session === session;
    return this.#contains(scope, link.server.id);
  }

  #contains(scope: Scope, id: string): boolean {
    try {
      return scope.servers().some((server) => server.id === id);
    } catch {
      return false;
    }
  }

  #resourceUpdated(link: UpstreamLink, notification: JsonRpcNotification): void {
    const { params } = notification;
    const uri = isJsonObject(params) ? textAt(params, 'uri') : undefined;
    if (!isJsonObject(params) || uri === undefined) return;
    for (const audience of this.#audiences) {
      const known = audience.watches(uri, link);
      if (known === undefined) continue;
      audience.tell(known === uri ? notification : { ...notification, params: { ...params, uri: known } });
    }
  }

  /**
   * A server says that its tools changed. Its own endpoint passes that on even if the catalogue sees no difference,
   * but not before the catalogue had time to look.
   */
  #echo(id: string): void {
    if (this.#echoes.has(id)) return;
    const timer = setTimeout(() => {
      this.#echoes.delete(id);
      this.#tellLists('tools', ({ scope }) => scope.kind === 'server' && this.#contains(scope, id));
    }, ECHO_MS);
    timer.unref();
    this.#echoes.set(id, timer);
  }

  #forgetEcho(id: string): void {
    clearTimeout(this.#echoes.get(id));
    this.#echoes.delete(id);
  }

  #tellLists(area: ListArea, hears: (audience: Audience) => boolean): void {
    const notification = buildNotification(`notifications/${area}/list_changed`);
    for (const audience of this.#audiences) if (audience.wants(area) && hears(audience)) audience.tell(notification);
  }
}
