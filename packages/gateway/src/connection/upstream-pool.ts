import type { EraRefusal } from '@plugboard/client';
import {
  HUB_LOGIN,
  loginHolder,
  PlugboardError,
  sameConfig,
  type Server,
  type ServerId,
  type ServerProtocol,
} from '@plugboard/contract';
import type { Era, JsonRpcNotification } from '@plugboard/wire';
import { type Caller, LOCAL_CALLER } from '../call/caller.js';
import type { ReplyChannel } from '../call/mcp-call.js';
import { TemplateFacts } from './template-facts.js';
import { type LinkIdentity, ofOwner, SHARED } from './link-identity.js';
import { type EraUser, ServerEras } from './server-eras.js';
import type { ServerFacts } from './server-facts.js';
import type { UpstreamClient } from './upstream-client.js';
import { closeWhenIdle } from './idle/close-when-idle.js';
import { idlest, type IdleLink } from './idle/idlest-link.js';
import { evictionRank } from './sharing-rule.js';
import { canBeAdopted } from './adoption.js';
import { SessionLinks } from './session-links.js';
import { UpstreamLink } from './upstream-link.js';

/** What a new connection is made with. */
export interface ClientRequest extends Omit<LinkIdentity, 'key' | 'session'> {
  /** To be called whenever a session with the server was opened. */
  readonly onOpened?: (() => void) | undefined;
  /** Where the connection serves one client, now: undefined while that one reads what it is sent. */
  readonly paceOf?: (() => ReplyChannel['drained']) | undefined;
}

type OpenedListener = (id: ServerId, isAnother: boolean) => void;

export interface UpstreamPoolOptions {
  /** Makes a client for a server; it must not do any I/O before it is used. */
  readonly makeClient: (server: Server, request: ClientRequest) => UpstreamClient;
  /** How long an unused connection stays open, unless it belongs to a session. */
  readonly idleMs: number;
  /** How many connections may be open at once. */
  readonly maxLinks?: number | undefined;
  /** Is there no room for connections that are only convenient? */
  readonly isCrowded?: (() => boolean) | undefined;
  /** Told whenever a connection becomes idle: somebody may wait for what it takes. */
  readonly onIdle?: (() => void) | undefined;
}

/** On whose behalf a connection is used. */
export type LinkUse = Pick<Caller, 'principal' | 'agent' | 'ownLogin'>;

export type ToolsChangedListener = (id: ServerId) => void;
export type LinkListener = (link: UpstreamLink, notification: JsonRpcNotification, ofCall: boolean) => void;

export type LinkStateListener = (link: UpstreamLink, state: 'opened' | 'closed') => void;

const DEFAULT_MAX_LINKS = 1024;

/** The connections to all servers: opened by the first use, replaced when the config changes, closed when idle. */
export class UpstreamPool {
  readonly #options: UpstreamPoolOptions;
  readonly #links = new Map<ServerId, Map<string, UpstreamLink>>();
  readonly #eras = new ServerEras();
  readonly #openedListeners = new Set<OpenedListener>();
  /** How each server introduced itself last, by era. */
  readonly #infos = new Map<string, string | undefined>();
  readonly #toolsListeners = new Set<ToolsChangedListener>();
  readonly #linkListeners = new Set<LinkListener>();
  readonly #stateListeners = new Set<LinkStateListener>();
  readonly #closing = new Set<Promise<void>>();
  readonly #templates = new TemplateFacts();
  readonly #ofSessions = new SessionLinks((link) => void this.drop(link));

  constructor(options: UpstreamPoolOptions) {
    this.#options = options;
  }

  get size(): number {
    let size = 0;
    for (const links of this.#links.values()) size += links.size;
    return size;
  }

  /** The identity of requests outside a session: shared, unless variables or logins of the user's own are needed. */
  plainIdentity(server: Server, { principal, agent, ownLogin }: LinkUse): LinkIdentity {
    const login = loginHolder(server.config, { principal, ownLogin });
    return ofOwner({
      agent: agent !== undefined && this.#templates.hasTemplates(server) ? agent : undefined,
      login: login === HUB_LOGIN ? undefined : login,
    });
  }

  /** Lends the server's client for requests outside a session to `work`; while anyone uses it, it is not idle. */
  async use<T>(
    server: Server,
    work: (client: UpstreamClient) => Promise<T>,
    user: LinkUse = LOCAL_CALLER,
    purpose: 'lists' | 'calls' = 'lists',
  ): Promise<T> {
    const link = this.link(server, this.plainIdentity(server, user));
    const letGo = link.hold();
    if (purpose === 'calls') link.noteCall();
    try {
      return await work(link.client);
    } finally {
      letGo();
    }
  }

  /** The connection with this identity, made if there is none. The user must hold it. */
  link(server: Server, identity: LinkIdentity = SHARED): UpstreamLink {
    const existing = this.#links.get(server.id)?.get(identity.key);
    if (existing !== undefined) {
      if (existing.knownAs === server) return existing;
      if (sameConfig(existing.server.config, server.config)) {
        existing.knownAs = server;
        return existing;
      }
      void this.release(server.id);
    }
    this.#makeRoom();
    const link: UpstreamLink = new UpstreamLink({
      server,
      identity,
      makeClient: ({ key: _key, session: _session, ...request }) =>
        this.#options.makeClient(server, { ...request, paceOf: () => link.identity.session?.channel.drained }),
      onNotification: (...heard) => this.#hear(...heard),
      onFacts: (met, facts) => {
        this.#eras.note(met, facts);
        this.#opened(met.id, facts);
      },
      onOpened: (opened) => this.#tellState(opened, 'opened'),
      onIdle: (idle) => this.#closeWhenIdle(idle),
    });
    const links = this.#links.get(server.id) ?? new Map<string, UpstreamLink>();
    this.#links.set(server.id, links.set(identity.key, link));
    this.#ofSessions.add(link);
    return link;
  }

  /** Gives a client the process that was started to read the server's lists, when nobody else has used it. */
  adopt(server: Server, plain: LinkIdentity, identity: LinkIdentity): UpstreamLink | undefined {
    const links = this.#links.get(server.id);
    const link = links?.get(plain.key);
    if (links === undefined || link === undefined || !canBeAdopted(link, server, identity)) return undefined;
    links.delete(plain.key);
    link.adopt(identity);
    links.set(identity.key, link);
    this.#ofSessions.add(link);
    return link;
  }

  isCrowded(): boolean {
    return this.#options.isCrowded?.() === true;
  }

  /** The process that can best be done without, with the way to end it; undefined when all are used. */
  idlest(): IdleLink | undefined {
    return idlest(this.#all(), evictionRank, (link) => this.drop(link));
  }

  /** The connection of this client, where it was not replaced. */
  linkOf(id: ServerId, client: object): UpstreamLink | undefined {
    for (const link of this.#links.get(id)?.values() ?? []) if (link.client === client) return link;
    return undefined;
  }

  find(id: ServerId, key: string): UpstreamLink | undefined {
    return this.#links.get(id)?.get(key);
  }

  /** The shared client of a server when one is open. */
  peek(id: ServerId): UpstreamClient | undefined {
    return this.find(id, SHARED.key)?.client;
  }

  /** What the server last said of itself to clients of this era; the newest that it speaks when none is named. */
  facts(id: ServerId, era?: Era): ServerFacts | undefined {
    return this.#eras.facts(id, era);
  }

  /** The side of the server that a client meets; undefined while that is not known. */
  meet(id: ServerId, user: EraUser): ServerFacts | undefined {
    return this.#eras.meet(id, user);
  }

  /** The legacy greeting failed at a server that is known to be modern. */
  noteRefusal(id: ServerId, refusal: EraRefusal): void {
    this.#eras.noteRefusal(id, refusal);
  }

  /** What the shared connection negotiated, when one is open, and which eras the server speaks beside that. */
  protocol(id: ServerId): ServerProtocol | undefined {
    const protocol = this.peek(id)?.protocol;
    const eras = this.#eras.eras(id);
    return protocol === undefined || eras === undefined ? protocol : { ...protocol, eras: [...eras] };
  }

  /** Somebody met a sign that the server offers other tools than are known. */
  suspectTools(id: ServerId): void {
    for (const listener of this.#toolsListeners) listener(id);
  }

  /** Called when a session with a server was opened: `isAnother` when the server says it is not who it was. */
  onOpened(listener: OpenedListener): () => void {
    this.#openedListeners.add(listener);
    return () => this.#openedListeners.delete(listener);
  }

  onToolsChanged(listener: ToolsChangedListener): () => void {
    this.#toolsListeners.add(listener);
    return () => this.#toolsListeners.delete(listener);
  }

  /** Everything that any connection hears. */
  onNotification(listener: LinkListener): () => void {
    this.#linkListeners.add(listener);
    return () => this.#linkListeners.delete(listener);
  }

  /** Called when the session behind a connection was opened, or reopened, and when the connection is closed. */
  onState(listener: LinkStateListener): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  /** Closes everything that is open to a server. */
  async release(id: ServerId): Promise<void> {
    const links = [...(this.#links.get(id)?.values() ?? [])];
    this.#links.delete(id);
    this.#eras.forget(id);
    for (const era of ['legacy', 'modern']) this.#infos.delete(`${era} ${id}`);
    await Promise.all(links.map((link) => this.#dispose(link)));
  }

  /** Closes what requests outside a session share. */
  async releaseShared(id: ServerId): Promise<void> {
    const links = [...(this.#links.get(id)?.values() ?? [])];
    await this.#dropAll(links.filter(({ identity }) => identity.session === undefined));
  }

  /** Closes everything that is open with the variables or a login of an agent. */
  async releaseAgent(agent: string): Promise<void> {
    const links = [...this.#all()];
    await this.#dropAll(links.filter(({ identity }) => identity.agent === agent || identity.login === agent));
  }

  /** Closes what is open to a server with a login that is no longer the same. */
  async releaseLogin(id: ServerId, login: string): Promise<void> {
    const links = [...(this.#links.get(id)?.values() ?? [])];
    await this.#dropAll(links.filter(({ identity }) => identity.login === login));
  }

  /** Closes one connection: its client is gone. */
  async drop(link: UpstreamLink): Promise<void> {
    const links = this.#links.get(link.server.id);
    if (links?.get(link.identity.key) === link) links.delete(link.identity.key);
    if (links?.size === 0) this.#links.delete(link.server.id);
    await this.#dispose(link);
  }

  async close(): Promise<void> {
    const links = [...this.#all()];
    this.#links.clear();
    await Promise.allSettled([...links.map((link) => this.#dispose(link)), ...this.#closing]);
  }

  *#all(): Generator<UpstreamLink> {
    for (const links of this.#links.values()) yield* links.values();
  }

  async #dropAll(links: readonly UpstreamLink[]): Promise<void> {
    await Promise.all(links.map((link) => this.drop(link)));
  }

  #hear(link: UpstreamLink, notification: JsonRpcNotification, ofCall: boolean): void {
    if (notification.method === 'notifications/tools/list_changed') {
      for (const listener of this.#toolsListeners) listener(link.server.id);
    }
    for (const listener of this.#linkListeners) listener(link, notification, ofCall);
  }

  #closeWhenIdle(link: UpstreamLink): void {
    void link.facts;
    this.#options.onIdle?.();
    if (link.identity.session !== undefined || this.find(link.server.id, link.identity.key) !== link) return;
    closeWhenIdle(link, this.#options.idleMs, () => void this.drop(link));
  }

  /** At the limit, the connection that nobody has used for longest goes; those of sessions go last. */
  #makeRoom(): void {
    if (this.size < (this.#options.maxLinks ?? DEFAULT_MAX_LINKS)) return;
    const ofSession = ({ identity }: UpstreamLink): number => Number(identity.session !== undefined);
    const idle = [...this.#all()]
      .filter((link) => link.users === 0)
      .toSorted((a, b) => ofSession(a) - ofSession(b) || a.usedAt - b.usedAt)[0];
    if (idle === undefined) {
      throw new PlugboardError('RATE_LIMITED', 'The hub has reached its limit of connections to servers.', {
        hint: 'Close sessions that are no longer needed, or try again later.',
        retryAfterMs: 5000,
      });
    }
    void this.drop(idle);
  }

  #opened(id: ServerId, { era, serverInfo }: ServerFacts): void {
    // A server of both eras may introduce itself differently in each.
    const [key, info] = [`${era} ${id}`, JSON.stringify(serverInfo)];
    const before = this.#infos.get(key);
    this.#infos.set(key, info);
    const isAnother = before !== undefined && before !== info;
    for (const listener of this.#openedListeners) listener(id, isAnother);
  }

  #tellState(...state: Parameters<LinkStateListener>): void {
    for (const listener of this.#stateListeners) listener(...state);
  }

  #dispose(link: UpstreamLink): Promise<void> {
    this.#ofSessions.remove(link);
    this.#tellState(link, 'closed');
    const closed = link.dispose().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
    return closed;
  }
}
