import { createHash } from 'node:crypto';
import type { CatalogueSnapshot } from '@plugboard/contract';
import { buildNotification, isJsonObject, type JsonRpcNotification } from '@plugboard/wire';
import type { OfferBooks } from '../aggregate/offer-books.js';
import type { CatalogueSource } from '../catalogue/catalogue-source.js';
import type { Scope } from '../../call/scope.js';
import { textAt } from '../../rpc/members.js';
import { isTaskStatus } from '../../forward/tasks/task-feed.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import type { ClientSession } from '../../call/mcp-call.js';
import type { Audience, ListArea } from './audience.js';
import { SessionLists } from './session-lists.js';
import { ChangeThrottle } from './change-throttle.js';

const LIST_CHANGED: ReadonlyMap<string, ListArea> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/prompts/list_changed', 'prompts'],
  ['notifications/resources/list_changed', 'resources'],
]);

/** They name requests by ids that the hub gave: the client knows none of these, or takes them for its own. */
const OF_REQUESTS: ReadonlySet<string> = new Set(['notifications/cancelled', 'notifications/progress']);

/** Long enough for the catalogue to have asked the server again, so that clients that ask again see what is new. */
const ECHO_MS = 700;

/** What an endpoint offers, whatever the order. */
const fingerprint = (scope: Scope): string => {
  try {
    const hash = createHash('sha256');
    const tools = scope.tools().map(({ definition }) => JSON.stringify(definition));
    for (const tool of tools.toSorted()) hash.update(tool);
    return hash.digest('base64');
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
  /** The same for sessions that see something else. */
  readonly #seenBy = new Map<Audience, string>();
  readonly #sessionLists: SessionLists;
  readonly #stop: readonly (() => void)[];
  readonly #merged = new ChangeThrottle(() => this.#compare('merged'));

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#sessionLists = new SessionLists({
      ...options,
      tell: (session, isAnnounced) => this.#sessionChanged(session, isAnnounced),
    });
    this.#stop = [
      options.catalogue.onChange((snapshot) => this.#catalogueChanged(snapshot)),
      options.upstream.onNotification((link, notification, ofCall) => this.#hear(link, notification, ofCall)),
      options.upstream.onState((link, state) => this.#linkChanged(link, state)),
    ];
  }

  add(audience: Audience): () => void {
    this.#audiences.add(audience);
    if (!this.#seen.has(audience.scope)) this.#seen.set(audience.scope, fingerprint(audience.scope));
    return () => {
      this.#audiences.delete(audience);
      this.#seenBy.delete(audience);
      if (![...this.#audiences].some(({ scope }) => scope === audience.scope)) this.#seen.delete(audience.scope);
    };
  }

  close(): void {
    for (const stop of this.#stop) stop();
    for (const timer of this.#echoes.values()) clearTimeout(timer);
    this.#echoes.clear();
    this.#merged.close();
    this.#sessionLists.close();
    this.#audiences.clear();
    this.#seenBy.clear();
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
      this.#tellLists('tools', (audience) => audience.scope === scope && this.#seesNews(audience));
    }
  }

  /** Does a session with lists of its own see anything else than when it was last told? All others do. */
  #seesNews(audience: Audience): boolean {
    if (audience.session?.view === undefined && !this.#seenBy.has(audience)) return true;
    return this.#look(audience);
  }

  /** Notes what a session sees now, and says whether that is new to it. */
  #look(audience: Audience): boolean {
    const { scope, session } = audience;
    const everybody = this.#seen.get(scope);
    const before = this.#seenBy.get(audience) ?? everybody;
    const now = fingerprint(session?.view?.scope ?? scope);
    if (now === everybody) this.#seenBy.delete(audience);
    else this.#seenBy.set(audience, now);
    return now !== before;
  }

  /** The tools of one session were read. Its server's own endpoint passes on what the server says in any case. */
  #sessionChanged(session: ClientSession, isAnnounced: boolean): void {
    const hears = (audience: Audience): boolean =>
      audience.session === session && (this.#look(audience) || (isAnnounced && audience.scope.kind === 'server'));
    this.#tellLists('tools', hears);
  }

  #linkChanged(link: UpstreamLink, state: 'opened' | 'closed'): void {
    const { session } = link.identity;
    if (session === undefined) return;
    const { ofSessions } = this.#options.books;
    for (const area of state === 'closed' ? ofSessions.forget(link) : ofSessions.renew(link)) {
      this.#tellLists(area, (audience) => audience.session === session);
    }
  }

  #hear(link: UpstreamLink, notification: JsonRpcNotification, ofCall: boolean): void {
    const area = LIST_CHANGED.get(notification.method);
    if (area === 'tools') {
      if (!this.#sessionLists.notice(link)) this.#echo(link.server.id);
    } else if (area !== undefined) {
      this.#options.books.changed(link, area);
      this.#tellLists(area, (audience) => this.#hears(audience, link));
    } else if (notification.method === 'notifications/resources/updated') {
      this.#resourceUpdated(link, notification);
    } else if (!ofCall && !OF_REQUESTS.has(notification.method) && !isTaskStatus(notification)) {
      const { toClient = (_link, same) => same } = this.#options;
      const { session } = link.identity;
      if (session !== undefined && this.#isUsed(session.endpoint, link.server.id)) {
        session.channel.notify(toClient(link, notification));
      }
    }
  }

  /** A session that has a connection of its own hears that one only. */
  #hears({ scope, session }: Audience, link: UpstreamLink): boolean {
    if (link.identity.session !== undefined && link.identity.session !== session) return false;
    return this.#contains(scope, link.server.id);
  }

  /** May the caller use anything of this server at the endpoint? Its rights may have changed since it connected. */
  #isUsed(scope: Scope, id: string): boolean {
    if (this.#contains(scope, id)) return true;
    try {
      const tools = scope.callable?.() ?? scope.tools();
      return tools.some((tool) => tool.kind === 'server' && tool.server.id === id);
    } catch {
      return false;
    }
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
      if (known === undefined || !this.#contains(audience.scope, link.server.id)) continue;
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
