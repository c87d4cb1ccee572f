import { anySignal } from '@plugboard/base';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  HUB_LOGIN,
  mayAskForLogin,
  mayBorrowLogin,
  toPlugboardError,
  revealConfig,
  type OAuthProtocol,
  type OAuthSession,
  type OAuthSettings,
  type Server,
  type ServerId,
} from '@plugboard/contract';
import type { Clock } from '../port/clock.js';
import type { Log } from '../port/log.js';
import { orphanOwner } from '../store/login-ownership.js';
import type { CredentialKey, OAuthStore, StoredCredential, StoredLogin } from '../store/oauth-store.js';
import { BrowserBinding } from './browser-binding.js';
import { noCallback, nobodyLogsIn, noSession, notForPrograms, otherBrowser } from './login-errors.js';
import { LoginDesk, LoginFailed, type LoginTarget } from './login-desk.js';
import { LoginWaits } from './login-waits.js';
import { sessionView } from './session-view.js';
import { OAuthCredentials, type ServerCredentials } from './oauth-credentials.js';
import { TokenBroker } from './token-refresh/token-broker.js';

export interface ServerLoginsOptions {
  readonly store: OAuthStore;
  readonly protocol: OAuthProtocol;
  readonly clock: Clock;
  readonly log: Log;
  /** Where browsers can come back to us from an issuer, or from whichever; undefined while nobody can reach us. */
  readonly callbackUrl: (issuer: string | undefined) => string | undefined;
  /** Where a browser begins a login here, so that it is known when it comes back. */
  readonly loginUrl?: ((id: string) => string | undefined) | undefined;
  /** Signs what a browser is known by; the same for all processes on one store. */
  readonly browserKey?: Uint8Array | undefined;
  /** Fills in what a login needs of a config with variables: its URL and OAuth settings. `agent` brings its own values. */
  readonly resolved?: ((server: Server, agent: string) => Server) | undefined;
  readonly clientName?: string | undefined;
  /** An https URL under which an issuer can read our client metadata. */
  readonly clientMetadataUrl?: ((issuer: string) => string | undefined) | undefined;
  /** What stands there, when it is we who serve it; for one issuer, by its short name, or for any. */
  readonly clientDocument?:
    | ((issuerId: string | undefined) => Readonly<Record<string, unknown>> | undefined)
    | undefined;
  /** Is there one document for all issuers? */
  readonly oneDocument?: boolean | undefined;
  /** How long somebody may take to log in. */
  readonly loginMs?: number | undefined;
}

/** For whom a server is reached. */
export interface CredentialUser {
  /** Whose login; the hub's when left out. */
  readonly holder?: string | undefined;
  /** The agent whose variables fill in the config; those of the holder when left out. */
  readonly agent?: string | undefined;
}

/** Whose sessions somebody may see. */
type Holders = readonly string[];

/** How a browser begins a login. */
export interface LoginOpening {
  /** Where it goes from here. */
  readonly url: string;
  readonly cookie: { readonly name: string; readonly value: string };
  readonly maxAgeSeconds: number;
  readonly serverName: string;
  readonly issuer: string;
  readonly holder: string;
}

/** How a browser comes back from one. */
export interface LoginArrival {
  /** The short name of the issuer in the path. */
  readonly issuerId: string | undefined;
  readonly cookies: ReadonlyMap<string, string>;
  /** Whose logins the request itself proves a right to. */
  readonly holders: Holders | 'any';
}

export interface SessionWait {
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly holders?: Holders | undefined;
}

/** What the registry tells and hears. */
export interface LoginAttachment {
  readonly isRegistered: (id: ServerId) => boolean;
  /** Somebody logged in: the server can be asked again. */
  readonly onAuthorized: (id: ServerId, holder: string) => void;
  readonly onRenewed: (id: ServerId) => void;
  readonly onLoginNeeded: (id: ServerId, reason: string) => void;
  readonly onLoggedOut: (id: ServerId, holder: string) => void;
}

const DETACHED: LoginAttachment = {
  isRegistered: () => false,
  onAuthorized: () => undefined,
  onRenewed: () => undefined,
  onLoginNeeded: () => undefined,
  onLoggedOut: () => undefined,
};

const OF_HUB: Holders = [HUB_LOGIN];
const LOGIN_MS = 10 * 60_000;
const START_MS = 30_000;
const REVOKE_MS = 5000;

/** Logins to servers: begun, completed, waited for and ended; and the credentials that come of them. */
export class ServerLogins {
  readonly #options: ServerLoginsOptions;
  readonly #desk: LoginDesk;
  readonly #broker: TokenBroker;
  readonly #waits: LoginWaits;
  readonly #browsers: BrowserBinding;
  #attached: LoginAttachment = DETACHED;

  constructor(options: ServerLoginsOptions) {
    this.#options = options;
    const { store, protocol, clock, log } = options;
    this.#desk = new LoginDesk({
      store,
      protocol,
      clock,
      clientName: options.clientName ?? 'Plugboard',
      clientMetadataUrl: options.clientMetadataUrl,
      oneDocument: options.oneDocument,
      loginMs: options.loginMs ?? LOGIN_MS,
    });
    this.#broker = new TokenBroker({
      store,
      protocol,
      clock,
      log,
      holder: randomUUID(),
      onRenewed: ({ key }) => this.#attached.onRenewed(key.owner as ServerId),
    });
    this.#waits = new LoginWaits(store);
    this.#browsers = new BrowserBinding(options.browserKey ?? randomBytes(32));
  }

  /** What we say of ourselves to authorization servers that read it (Client ID Metadata Documents). */
  clientDocument(issuerId?: string): Readonly<Record<string, unknown>> | undefined {
    return this.#options.clientDocument?.(issuerId);
  }

  attach(attachment: LoginAttachment): void {
    this.#attached = attachment;
  }

  /** The credentials of a server, when it is one that may ask for OAuth and has no token of its own. */
  credentialsFor(
    server: Server,
    { holder = HUB_LOGIN, agent = holder }: CredentialUser = {},
  ): ServerCredentials | undefined {
    if (!mayAskForLogin(server.config)) return undefined;
    return new OAuthCredentials({
      target: () => this.#target(server, holder, agent),
      // Filled in with the same variables: a login of the hub is borrowed only for the URL that it was made for.
      borrowed: mayBorrowLogin(server.config, holder) ? () => this.#target(server, HUB_LOGIN, agent) : undefined,
      broker: this.#broker,
      desk: this.#desk,
      startLogin: (target, challenge, signal) => this.#startFor(target, challenge, signal),
      onLoginNeeded: ({ serverId }, reason) => {
        if (serverId !== null) this.#attached.onLoginNeeded(serverId, reason);
      },
    });
  }

  /** Begins a login, or hands out the one that waits already. */
  async start(
    server: Server,
    options: { readonly redirectUri?: string | undefined; readonly signal: AbortSignal; readonly holder?: string },
  ): Promise<OAuthSession> {
    const target = this.#target(server, options.holder ?? HUB_LOGIN);
    if (target === undefined) throw notForPrograms();
    if (target.settings?.grant === 'client_credentials') throw nobodyLogsIn();
    const { redirectUri: own, signal } = options;
    const redirectUri = own === undefined ? this.#callbackFor(server.server_name) : () => own;
    const login = await this.#desk.start(target, { redirectUri, signal });
    return this.#view(login);
  }

  /** The login that a browser is about to begin; undefined when there is none, or no more. */
  async opening(id: string): Promise<LoginOpening | undefined> {
    const login = await this.#options.store.login(id);
    if (login?.status !== 'pending' || login.expiresAt <= this.#options.clock.now()) return undefined;
    const { issuer } = login.authorization.metadata;
    return {
      url: login.authorizationUrl,
      cookie: this.#browsers.cookieFor(login.state),
      maxAgeSeconds: Math.ceil((login.expiresAt - this.#options.clock.now()) / 1000),
      serverName: login.serverName,
      issuer,
      holder: login.key.principal,
    };
  }

  /**
   * Takes what a browser brought back, and tells everyone who waits. Only the browser that began the login may finish it,
   * or a caller that proves to be its holder. Otherwise a link sent to another person would give that person's login to the sender.
   */
  async complete(answer: URLSearchParams, arrival: LoginArrival): Promise<OAuthSession> {
    const state = answer.get('state') ?? '';
    if (state !== '' && !this.#browsers.knows(state, arrival.cookies)) await this.#assertHolder(state, arrival.holders);
    try {
      const { login } = await this.#desk.complete(answer, arrival.issuerId);
      this.#broker.forget(login.key);
      this.#waits.tell(login.id);
      if (login.serverId !== null) this.#attached.onAuthorized(login.serverId, login.key.principal);
      return this.#view(login);
    } catch (thrown) {
      if (thrown instanceof LoginFailed) this.#waits.tell(thrown.login.id);
      throw thrown;
    }
  }

  /** Rejects with NOT_FOUND for a session of somebody else. */
  async session(id: string, holders: Holders = OF_HUB): Promise<OAuthSession> {
    return this.#view(await this.#require(id, holders));
  }

  async sessions(serverId: string | undefined, holders: Holders = OF_HUB): Promise<readonly OAuthSession[]> {
    const { store } = this.#options;
    const found = await Promise.all(holders.map((principal) => store.logins({ serverId, principal })));
    return found.flat().map((login) => this.#view(login));
  }

  /** The session once it is over, or as it is when the time is up. */
  async wait(id: string, { ms, signal, holders = OF_HUB }: SessionWait): Promise<OAuthSession> {
    await this.#require(id, holders);
    await this.#waits.settled(id, ms, signal);
    return this.session(id, holders);
  }

  /** Resolves when the login is over or the time is up; nothing is told of it. */
  settled(id: string, ms: number, signal: AbortSignal): Promise<void> {
    return this.#waits.settled(id, ms, signal);
  }

  /** Ends a session: one that waits can no longer be completed, and what came of one is taken back. */
  async end(id: string, holders: Holders = OF_HUB): Promise<void> {
    const login = await this.#require(id, holders);
    await this.#logout(login.key);
    this.#waits.tell(id);
    if (login.serverId !== null) this.#attached.onLoggedOut(login.serverId, login.key.principal);
  }

  /** Takes back and forgets what was logged in for a server. False when there was nothing. */
  async logout(server: Server, holder: string = HUB_LOGIN): Promise<boolean> {
    const target = this.#target(server, holder);
    if (target === undefined) return false;
    const held = await this.#logout(target.key);
    if (held) this.#attached.onLoggedOut(server.id, holder);
    return held;
  }

  /** Takes back and forgets everything that somebody who is gone was logged in to. */
  async forget(holder: string): Promise<void> {
    const { store } = this.#options;
    const held = await store.credentialsHeldBy(holder);
    await store.deleteHeldBy(holder);
    for (const credential of held) {
      this.#broker.forget(credential.key);
      await this.#revoke(credential);
    }
  }

  /** What has to be revoked when a server is deleted; to be asked before, because deleting forgets it. */
  async beforeDelete(server: Server): Promise<() => Promise<void>> {
    const held = await this.#options.store.credentialsOf(server.id);
    return async () => {
      for (const credential of held) {
        this.#broker.forget(credential.key);
        await this.#revoke(credential);
      }
    };
  }

  async #assertHolder(state: string, holders: Holders | 'any'): Promise<void> {
    if (holders === 'any') return;
    const pending = (await Promise.all(holders.map((principal) => this.#options.store.logins({ principal })))).flat();
    if (!pending.some((login) => login.state === state)) throw otherBrowser();
  }

  #callbackFor(serverName: string): (issuer: string | undefined) => string {
    return (issuer) => {
      const url = this.#options.callbackUrl(issuer);
      if (url === undefined) throw noCallback(serverName);
      return url;
    };
  }

  close(): Promise<void> {
    return this.#broker.close();
  }

  #target(given: Server, principal: string, agent = principal): LoginTarget | undefined {
    const server = this.#options.resolved?.(given, agent) ?? given;
    const { config } = server;
    if (config.mcp_server_type === 'stdio') return undefined;
    const registered = this.#attached.isRegistered(server.id);
    const owner = registered ? server.id : (orphanOwner(config) ?? server.id);
    const revealed = revealConfig(config);
    const settings: OAuthSettings | undefined = 'oauth' in revealed ? (revealed.oauth ?? undefined) : undefined;
    return {
      key: { owner, principal },
      serverId: registered ? server.id : null,
      serverName: server.server_name,
      serverUrl: config.server_url,
      settings,
    };
  }

  async #startFor(target: LoginTarget, challenge: string | undefined, signal: AbortSignal): Promise<OAuthSession> {
    const redirectUri = this.#callbackFor(target.serverName);
    const deadline = anySignal(signal, AbortSignal.timeout(START_MS));
    return this.#view(await this.#desk.start(target, { challenge, redirectUri, signal: deadline }));
  }

  async #logout(key: CredentialKey): Promise<boolean> {
    const { store } = this.#options;
    const held = await store.credential(key);
    await store.deleteCredential(key);
    await store.deleteLogins(key);
    this.#broker.forget(key);
    if (held !== undefined) await this.#revoke(held);
    return held !== undefined;
  }

  /** Best effort: what we hold is forgotten already, and the authorization server may be away. */
  async #revoke({ authorization, client, tokens }: StoredCredential): Promise<void> {
    const { protocol, log } = this.#options;
    if (tokens === undefined) return;
    try {
      const { metadata } = authorization;
      await protocol.revoke({ metadata, client, tokens }, AbortSignal.timeout(REVOKE_MS));
    } catch (thrown) {
      const { code, message } = toPlugboardError(thrown);
      log.warn('A token could not be revoked; it stays valid until it expires.', { code, reason: message });
    }
  }

  async #require(id: string, holders: Holders): Promise<StoredLogin> {
    const login = await this.#options.store.login(id);
    if (login === undefined || !holders.includes(login.key.principal)) throw noSession(id);
    return login;
  }

  #view(login: StoredLogin): OAuthSession {
    const own = [undefined, login.authorization.metadata.issuer].some(
      (issuer) => this.#options.callbackUrl(issuer) === login.redirectUri,
    );
    const begin = own ? this.#options.loginUrl?.(login.id) : undefined;
    return sessionView(login, this.#options.clock.now(), begin);
  }
}
