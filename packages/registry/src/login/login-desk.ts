import { randomBytes, randomUUID } from 'node:crypto';
import { SingleFlight } from '@plugboard/base';
import {
  PlugboardError,
  toPlugboardError,
  type OAuthProtocol,
  type OAuthSettings,
  type RegisteredClient,
  type ServerAuthorization,
  type ServerId,
} from '@plugboard/contract';
import type { Clock } from '../port/clock.js';
import type { CredentialKey, OAuthStore, StoredCredential, StoredLogin } from '../store/oauth-store.js';
import { issuerIdIn } from './issuer-id.js';
import { oauthFailureKind } from './token-refresh/oauth-failure-kind.js';
import { assertPinnedIssuer } from './pinned-issuer.js';

/** The server that somebody logs in to. */
export interface LoginTarget {
  readonly key: CredentialKey;
  readonly serverId: ServerId | null;
  readonly serverName: string;
  readonly serverUrl: string;
  readonly settings: OAuthSettings | undefined;
}

export interface LoginOptions {
  /** The WWW-Authenticate field that asked for it. */
  readonly challenge?: string | undefined;
  /**
   * Where the browser comes back to. Each issuer has a place of its own, so that the answer of one cannot be taken for
   * that of another (RFC 9700, 4.4); a client that somebody registered by hand has the place that was registered.
   */
  readonly redirectUri: (issuer: string | undefined) => string;
  readonly signal: AbortSignal;
}

export interface LoginDeskOptions {
  readonly store: OAuthStore;
  readonly protocol: OAuthProtocol;
  readonly clock: Clock;
  readonly clientName: string;
  /** Where an issuer can read who we are. */
  readonly clientMetadataUrl?: ((issuer: string) => string | undefined) | undefined;
  /** Is that document the same for all issuers? Then so is the place to come back to. */
  readonly oneDocument?: boolean | undefined;
  /** How long somebody may take to log in. */
  readonly loginMs: number;
}

/** A client registration is not used in its last minute. */
const SECRET_MARGIN_MS = 60_000;
const EXCHANGE_MS = 30_000;

const unknownState = (): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', 'Invalid or expired state parameter.', {
    hint: 'Start the login again. Each link works once and expires soon.',
  });

const mixedUp = (issuer: string): PlugboardError =>
  new PlugboardError('UPSTREAM_AUTH', 'The login response arrived at the callback of another authorization server.', {
    hint: 'Start the login again. If this happens again, do not use this server: it may be trying to steal a login to another one.',
    details: { oauth_failure: 'rejected', expected_issuer: issuer },
  });

/** Begins logins and takes their answers. Who waits for them, and who uses the tokens, is decided elsewhere. */
export class LoginDesk {
  readonly #options: LoginDeskOptions;
  readonly #starts = new SingleFlight<StoredLogin>();

  constructor(options: LoginDeskOptions) {
    this.#options = options;
  }

  /** A login to hand to a person: one that waits already, or a new one. */
  start(target: LoginTarget, options: LoginOptions): Promise<StoredLogin> {
    const { owner, principal } = target.key;
    const { challenge, redirectUri } = options;
    return this.#starts.run(JSON.stringify([owner, principal, challenge, redirectUri(undefined)]), () =>
      this.#start(target, options),
    );
  }

  /** Takes what a browser brought back. The login is claimed first: a state works once. */
  async complete(
    answer: URLSearchParams,
    arrivedAt: string | undefined,
  ): Promise<{ login: StoredLogin; credential: StoredCredential }> {
    const { store, protocol, clock } = this.#options;
    const state = answer.get('state');
    if (state === null || state === '') throw new PlugboardError('INVALID_ARGUMENT', 'Missing state parameter.');
    const login = await store.claimLogin(state, clock.now());
    if (login === undefined) throw unknownState();
    try {
      const { authorization, client, codeVerifier, redirectUri, sendResource } = login;
      if (issuerIdIn(redirectUri) !== arrivedAt) throw mixedUp(authorization.metadata.issuer);
      const tokens = await protocol.exchangeCode(
        {
          metadata: authorization.metadata,
          client,
          codeVerifier,
          redirectUri,
          state,
          answer,
          ...(sendResource ? { resource: authorization.resource } : {}),
        },
        AbortSignal.timeout(EXCHANGE_MS),
      );
      const credential = await store.putCredential({
        key: login.key,
        serverUrl: login.serverUrl,
        grant: 'authorization_code',
        sendResource,
        authorization,
        client,
        tokens,
        ended: undefined,
        scope: login.scope ?? tokens.scope,
        updatedAt: clock.now(),
      });
      await store.settleLogin(login.id, {});
      return { login: { ...login, status: 'authorized' }, credential };
    } catch (thrown) {
      await this.#fail(login, thrown);
      throw new LoginFailed(login, toPlugboardError(thrown));
    }
  }

  /** A token without a person: the hub logs in as itself. */
  async ownCredential(target: LoginTarget, challenge: string | undefined, scope?: string): Promise<StoredCredential> {
    const { store, protocol, clock } = this.#options;
    const signal = AbortSignal.timeout(EXCHANGE_MS);
    const authorization = await protocol.discover({ serverUrl: target.serverUrl, challenge }, signal);
    assertPinnedIssuer(target, authorization.metadata.issuer);
    const client = await this.#client(target, authorization, { redirectUri: '', signal });
    const sendResource = target.settings?.resource ?? true;
    const wanted = scope ?? this.#scope(target, authorization, challenge);
    const { metadata, resource } = authorization;
    const tokens = await protocol.clientCredentials(
      { metadata, client, scope: wanted, ...(sendResource ? { resource } : {}) },
      signal,
    );
    return store.putCredential({
      key: target.key,
      serverUrl: target.serverUrl,
      grant: 'client_credentials',
      sendResource,
      authorization,
      client,
      tokens,
      ended: undefined,
      scope: wanted,
      updatedAt: clock.now(),
    });
  }

  /** The scope that a refusal asks for on top of what was asked for before; undefined when it asks for nothing new. */
  widerScope(held: StoredCredential, challenge: string | undefined): string | undefined {
    const { protocol } = this.#options;
    const earlier = protocol.chooseScope({ earlier: held.scope });
    const wanted = protocol.chooseScope({ earlier: held.scope, challenge });
    return wanted === earlier ? undefined : wanted;
  }

  async #start(target: LoginTarget, options: LoginOptions): Promise<StoredLogin> {
    const { store, protocol, clock, loginMs } = this.#options;
    const now = clock.now();
    const { challenge, signal } = options;
    const authorization = await protocol.discover({ serverUrl: target.serverUrl, challenge }, signal);
    assertPinnedIssuer(target, authorization.metadata.issuer);
    const earlier = await store.credential(target.key);
    const scope = this.#scope(target, authorization, challenge, earlier?.scope);
    const redirectUri = options.redirectUri(this.#placeOf(target, authorization));
    const waiting = await this.#waiting(target, { redirectUri, scope, issuer: authorization.metadata.issuer });
    if (waiting !== undefined) return waiting;
    const client = await this.#client(target, authorization, { redirectUri, signal });
    const sendResource = target.settings?.resource ?? true;
    const state = randomBytes(32).toString('base64url');
    const { url, codeVerifier } = await protocol.startLogin({
      metadata: authorization.metadata,
      client,
      redirectUri,
      state,
      scope,
      ...(sendResource ? { resource: authorization.resource } : {}),
    });
    const login: StoredLogin = {
      id: `mcp-oauth-${randomUUID()}`,
      key: target.key,
      serverId: target.serverId,
      serverName: target.serverName,
      serverUrl: target.serverUrl,
      status: 'pending',
      redirectUri,
      scope,
      sendResource,
      authorization,
      client,
      state,
      codeVerifier,
      authorizationUrl: url,
      error: undefined,
      createdAt: now,
      expiresAt: now + loginMs,
    };
    await store.forgetLogins(now - loginMs);
    await store.putLogin(login);
    return login;
  }

  /** Everybody who is refused while nobody has logged in yet is sent to the same login. */
  async #waiting(
    { key, serverUrl }: LoginTarget,
    wanted: { readonly redirectUri: string; readonly scope: string | undefined; readonly issuer: string },
  ): Promise<StoredLogin | undefined> {
    const { store, clock, loginMs } = this.#options;
    const logins = await store.logins({ principal: key.principal });
    return logins.find(
      (login) =>
        login.key.owner === key.owner &&
        login.serverUrl === serverUrl &&
        login.status === 'pending' &&
        login.redirectUri === wanted.redirectUri &&
        login.scope === wanted.scope &&
        login.authorization.metadata.issuer === wanted.issuer &&
        login.expiresAt > clock.now() + loginMs / 2,
    );
  }

  #scope(
    { settings }: LoginTarget,
    { metadata, scopesSupported }: ServerAuthorization,
    challenge: string | undefined,
    earlier?: string,
  ): string | undefined {
    return this.#options.protocol.chooseScope({
      configured: settings?.scopes ?? undefined,
      challenge,
      ofResource: scopesSupported,
      ofIssuer: metadata.scopes_supported,
      earlier,
    });
  }

  /** Registrations belong to the issuer that made them, and are used again for the same place to come back to. */
  async #client(
    { settings }: LoginTarget,
    { metadata }: ServerAuthorization,
    { redirectUri, signal }: { readonly redirectUri: string; readonly signal: AbortSignal },
  ): Promise<RegisteredClient> {
    const { store, protocol, clock, clientName, clientMetadataUrl } = this.#options;
    const known = await store.client(metadata.issuer, redirectUri);
    const usable = known?.secretExpiresAt === undefined || known.secretExpiresAt > clock.now() + SECRET_MARGIN_MS;
    if (known !== undefined && usable && (settings?.client_id ?? null) === null) return known;
    const request = {
      metadata,
      settings,
      redirectUri,
      clientName,
      clientMetadataUrl: clientMetadataUrl?.(metadata.issuer),
    };
    const client = await protocol.obtainClient(request, signal);
    if (client.source === 'registered') await store.putClient(metadata.issuer, redirectUri, client);
    return client;
  }

  /** The issuer whose place it is; undefined where all share one. */
  #placeOf({ settings }: LoginTarget, { metadata }: ServerAuthorization): string | undefined {
    const byHand = (settings?.client_id ?? null) !== null;
    const byDocument = this.#options.oneDocument === true && metadata.client_id_metadata_document_supported === true;
    return byHand || byDocument ? undefined : metadata.issuer;
  }

  async #fail(login: StoredLogin, thrown: unknown): Promise<void> {
    const { store } = this.#options;
    await store.settleLogin(login.id, { error: toPlugboardError(thrown).toJSON() });
    // The authorization server has forgotten us: the next login registers again.
    if (oauthFailureKind(thrown) === 'invalid-client') await store.deleteClients(login.authorization.metadata.issuer);
  }
}

/** A login that began here and did not succeed. */
export class LoginFailed extends PlugboardError {
  override readonly name = 'LoginFailed';
  readonly login: StoredLogin;

  constructor(login: StoredLogin, error: PlugboardError) {
    super(error.code, error.message, { hint: error.advice, details: error.details, cause: error });
    this.login = login;
  }
}
