import { isDeepStrictEqual } from 'node:util';
import type { CatalogueEntry, CatalogueSnapshot, ServerId, SessionOffer, ToolDefinition } from '@plugboard/contract';
import { legacyDefinition } from '@plugboard/schema';
import { toLegacyTool } from '../../forward/bridge/structured-output.js';
import type { ClientSession } from '../../call/mcp-call.js';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import { overlaidScope } from '../scope/overlaid-scope.js';
import type { ServerFacts } from '../../connection/server-facts.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import { type Reading, SessionList } from './session-list.js';

export interface SessionListsOptions {
  readonly catalogue: CatalogueSource;
  readonly upstream: UpstreamPool;
  /** Called when what a session sees may have changed; `isAnnounced`: its server said so. */
  readonly tell: (session: ClientSession, isAnnounced: boolean) => void;
}

/** The list of one server that one session has a connection of its own to. */
interface Held {
  readonly link: UpstreamLink;
  readonly list: SessionList;
  /** What the offer was compared with. */
  comparedWith: CatalogueEntry['tools'] | undefined;
  /** Does what is kept no longer follow from the catalogue? Then it must not outlive a reading that fails. */
  isOutdated: boolean;
}

const READ_MS = 10_000;

const sameOffer = (one: SessionOffer | undefined, other: SessionOffer | undefined): boolean => {
  const key = (offer: SessionOffer | undefined) =>
    offer && [
      offer.hidden,
      offer.tools.map(({ upstream_name, contract_hash, enabled }) => [upstream_name, contract_hash, enabled]),
    ];
  return isDeepStrictEqual(key(one), key(other));
};

const entryOf = ({ entries }: CatalogueSnapshot, id: ServerId): CatalogueEntry | undefined =>
  entries.find(({ server }) => server.id === id);

/** Where the catalogue was read in the modern era: the names of tools that differ in nothing else. */
const sameInEra = (
  entry: CatalogueEntry | undefined,
  definitions: readonly ToolDefinition[],
  facts: ServerFacts | undefined,
): ReadonlySet<string> | undefined => {
  if (facts?.era !== 'modern') return undefined;
  const isSame = (definition: ToolDefinition): boolean => {
    const known = entry?.definitions?.get(definition.name);
    if (known === undefined) return false;
    const shown = (tasks: boolean): unknown => legacyDefinition(toLegacyTool(known, { tasks }));
    const own = legacyDefinition(definition);
    return isDeepStrictEqual(own, shown(false)) || isDeepStrictEqual(own, shown(true));
  };
  return new Set(definitions.filter(isSame).map(({ name }) => name));
};

/**
 * Tools that servers offer to single sessions. A server that says on the connection of one session that its tools
 * changed is asked there; what differs from the catalogue is laid over it for this session, and for as long as the
 * connection lives. Connections that several clients share have no lists of their own: theirs is the catalogue.
 */
export class SessionLists {
  readonly #options: SessionListsOptions;
  readonly #held = new Map<ClientSession, Map<ServerId, Held>>();
  readonly #stop: readonly (() => void)[];

  constructor(options: SessionListsOptions) {
    this.#options = options;
    this.#stop = [
      options.catalogue.onChange((snapshot) => this.#catalogueChanged(snapshot)),
      options.upstream.onState((link, state) => (state === 'closed' ? this.#closed(link) : this.#reopened(link))),
    ];
  }

  /** Sessions that have, or may have, lists of their own. */
  get size(): number {
    return this.#held.size;
  }

  /** A server says on this connection that its tools changed. False when that is no matter of one session. */
  notice(link: UpstreamLink): boolean {
    const { session } = link.identity;
    if (session === undefined || this.#options.catalogue.compareSessionList === undefined) return false;
    this.#hold(session, link).list.notice();
    return true;
  }

  close(): void {
    for (const stop of this.#stop) stop();
    for (const session of this.#held.keys()) this.#release(session);
  }

  #hold(session: ClientSession, link: UpstreamLink): Held {
    const known = this.#held.get(session);
    const ofSession = known ?? new Map<ServerId, Held>();
    const held = ofSession.get(link.server.id);
    if (held?.link === link) return held;
    held?.list.close();
    const made: Held = {
      link,
      list: new SessionList({
        read: () => this.#read(session, made),
        onDue: () => this.#show(session),
        onRead: (_reading, isAnnounced) => this.#options.tell(session, isAnnounced),
      }),
      comparedWith: undefined,
      isOutdated: false,
    };
    ofSession.set(link.server.id, made);
    this.#held.set(session, ofSession);
    if (known === undefined) session.onEnd(() => this.#release(session));
    return made;
  }

  async #read(session: ClientSession, held: Held): Promise<Reading> {
    const { link, list } = held;
    const before = list.offer;
    const letGo = link.hold();
    try {
      list.offer = await this.#compared(held);
      held.isOutdated = false;
    } catch {
      if (!held.isOutdated) return 'failed';
      list.offer = undefined;
    } finally {
      letGo();
    }
    if (this.#held.get(session)?.get(link.server.id) !== held) return 'failed';
    this.#show(session);
    return sameOffer(before, list.offer) ? 'same' : 'changed';
  }

  async #compared(held: Held): Promise<SessionOffer | undefined> {
    const { catalogue, upstream } = this.#options;
    const { id } = held.link.server;
    const definitions = await held.link.client.listTools({ signal: AbortSignal.timeout(READ_MS) });
    const entry = entryOf(catalogue.snapshot(), id);
    held.comparedWith = entry?.tools;
    return catalogue.compareSessionList?.(id, {
      definitions,
      before: held.list.offer,
      sameInEra: sameInEra(entry, definitions, upstream.facts(id)),
    });
  }

  /** Lays what the session has over its endpoint. */
  #show(session: ClientSession): void {
    const all = [...(this.#held.get(session)?.values() ?? [])];
    const offers = new Map(
      all.flatMap(({ link, list }) => (list.offer === undefined ? [] : [[link.server.id, list.offer] as const])),
    );
    const due = all.flatMap(({ list }) => list.due ?? []);
    if (offers.size === 0 && due.length === 0) {
      session.view = undefined;
      return;
    }
    const { catalogue } = this.#options;
    session.view = {
      scope: offers.size === 0 ? session.endpoint : overlaidScope(session.endpoint, offers, catalogue),
      due: due.length === 0 ? undefined : Promise.all(due).then(() => undefined),
    };
  }

  /** What differed from the catalogue of before need not differ from that of now. */
  #catalogueChanged(snapshot: CatalogueSnapshot): void {
    for (const ofSession of this.#held.values()) {
      for (const [id, held] of ofSession) {
        if (held.list.offer === undefined || entryOf(snapshot, id)?.tools === held.comparedWith) continue;
        held.isOutdated = true;
        held.list.notice(false);
      }
    }
  }

  /** The server holds nothing any more for the session of before. */
  #reopened(link: UpstreamLink): void {
    const held = this.#find(link);
    if (held?.list.offer === undefined) return;
    held.isOutdated = true;
    held.list.notice(false);
  }

  #closed(link: UpstreamLink): void {
    const { session } = link.identity;
    const held = this.#find(link);
    if (session === undefined || held === undefined) return;
    const ofSession = this.#held.get(session);
    ofSession?.delete(link.server.id);
    held.list.close();
    this.#show(session);
    if (held.list.offer !== undefined) this.#options.tell(session, false);
  }

  #find(link: UpstreamLink): Held | undefined {
    const { session } = link.identity;
    const held = session && this.#held.get(session)?.get(link.server.id);
    return held?.link === link ? held : undefined;
  }

  #release(session: ClientSession): void {
    const ofSession = this.#held.get(session);
    this.#held.delete(session);
    for (const { list } of ofSession?.values() ?? []) list.close();
    session.view = undefined;
  }
}
