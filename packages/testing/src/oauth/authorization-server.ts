import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Provider, type ClientMetadata, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { approveLogin } from './approve-login.js';
import { visit } from './browser-visit.js';
import { AdapterMemory } from './memory-adapter.js';
import { refreshAnswer, spoil, type Misbehaviour } from './misbehaviour.js';

export interface AuthorizationServerOptions {
  /** How long access tokens live, in seconds. Default: an hour. */
  readonly accessTokenSeconds?: number;
  readonly scopes?: readonly string[];
  /** Clients that are known from the start. */
  readonly clients?: readonly ClientMetadata[];
  /** May clients register themselves? Default: yes. */
  readonly registration?: boolean;
  /** Reads the metadata of clients whose id is an https URL; left out, such ids are not supported. */
  readonly clientDocument?: (url: string) => Promise<ClientMetadata | undefined>;
  readonly misbehaviour?: Misbehaviour;
}

/** What was asked of the authorization server. */
export interface AuthorizationCounts {
  registrations: number;
  logins: number;
  exchanges: number;
  /** Requests with a refresh token, whatever became of them. */
  refreshes: number;
  clientCredentials: number;
  revocations: number;
}

export interface IssuedToken {
  readonly scope: string;
  readonly clientId: string | undefined;
  readonly audience: readonly string[];
}

const SCOPES: readonly string[] = ['mcp:basic', 'mcp:write'];

const CONFIDENTIAL: ReadonlySet<string> = new Set([
  'access_token',
  'refresh_token',
  'id_token',
  'client_secret',
  'registration_access_token',
]);

const COUNTED: Readonly<Record<string, keyof AuthorizationCounts>> = {
  authorization_code: 'exchanges',
  refresh_token: 'refreshes',
  client_credentials: 'clientCredentials',
};

const signingKey = () => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'ES256',
  kid: 'double',
});

const configure = (options: AuthorizationServerOptions, memory: AdapterMemory): Configuration => {
  const scopes = ['openid', 'offline_access', ...(options.scopes ?? SCOPES)];
  const seconds = options.accessTokenSeconds ?? 3600;
  return {
    adapter: (name) => memory.adapter(name),
    clients: [...(options.clients ?? [])],
    scopes,
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(16).toString('hex')], short: { path: '/' }, long: { path: '/' } },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'], clientAuthSigningAlgValues: ['ES256', 'RS256', 'EdDSA'] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    discovery: options.clientDocument === undefined ? {} : { client_id_metadata_document_supported: true },
    ttl: {
      AccessToken: seconds,
      ClientCredentials: seconds,
      RefreshToken: 86_400,
      Session: 600,
      Interaction: 600,
      Grant: 86_400,
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      introspection: { enabled: true },
      registration: { enabled: options.registration ?? true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenTTL: seconds,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  };
};

/** An OAuth 2.1 authorization server for tests: a real one, that can be made to misbehave. */
export class AuthorizationServerDouble implements AsyncDisposable {
  readonly issuer: string;
  readonly counts: AuthorizationCounts = {
    registrations: 0,
    logins: 0,
    exchanges: 0,
    refreshes: 0,
    clientCredentials: 0,
    revocations: 0,
  };
  readonly misbehaviour: Misbehaviour;
  /** What the person at the browser does. */
  decision: 'approve' | 'decline' = 'approve';
  readonly #server: Server;
  readonly #provider: Provider;
  readonly #memory: AdapterMemory;
  readonly #dead = new Set<string>();
  readonly #issued = new Set<string>();
  readonly #confidences = new Set<string>();
  readonly #defaultScope: string;

  private constructor(server: Server, options: AuthorizationServerOptions) {
    this.#server = server;
    this.#defaultScope = (options.scopes ?? SCOPES)[0] ?? '';
    this.misbehaviour = { ...options.misbehaviour };
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.#memory = new AdapterMemory(async (url) => options.clientDocument?.(url));
    this.#provider = new Provider(this.issuer, configure(options, this.#memory));
    this.#provider.use((ctx, next) => this.#around(ctx as KoaContextWithOIDC, next));
    const handle = this.#provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/') === true) {
        this.counts.logins += 1;
        approveLogin(this.#provider, { request, response, decision: this.decision }).catch((thrown: unknown) => {
          response.writeHead(500).end(String(thrown));
        });
      } else {
        void handle(request, response);
      }
    });
  }

  static async start(options: AuthorizationServerOptions = {}): Promise<AuthorizationServerDouble> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AuthorizationServerDouble(server, options);
  }

  /** Does what a person does with an authorization URL. Resolves with the URL that the browser is sent back to. */
  login(authorizationUrl: string, signal?: AbortSignal): Promise<string> {
    return visit(authorizationUrl, signal);
  }

  /** What an access token is good for; undefined when it is good for nothing. */
  async introspect(token: string): Promise<IssuedToken | undefined> {
    if (this.#dead.has(token)) return undefined;
    const { AccessToken, ClientCredentials } = this.#provider;
    const found = (await AccessToken.find(token)) ?? (await ClientCredentials.find(token));
    if (found === undefined || found.isExpired) return undefined;
    const audience = found.aud === undefined ? [] : [found.aud].flat();
    return { scope: found.scope ?? '', clientId: found.clientId, audience };
  }

  /** Access tokens that were issued until now are refused from now on; what they were refreshed with stays good. */
  expireAccessTokens(): void {
    for (const token of this.#issued) this.#dead.add(token);
  }

  /** Ends every login: neither access nor refresh tokens work any more. */
  endLogins(): void {
    this.expireAccessTokens();
    for (const [id] of this.#memory.entries('Grant')) this.#memory.revokeGrant(id);
    this.#memory.entries('Grant').clear();
    this.#memory.entries('RefreshToken').clear();
  }

  /** Forgets the clients that registered themselves. */
  forgetClients(): void {
    this.#memory.entries('Client').clear();
  }

  /** Everything that was handed out in confidence: tokens, codes, client secrets. */
  get confidences(): readonly string[] {
    return [...this.#confidences];
  }

  /** Every access token that was issued. */
  get accessTokens(): readonly string[] {
    return [...this.#issued];
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #around(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    const { misbehaviour: how } = this;
    if (ctx.path === '/token') {
      if (how.slowMs !== undefined) await setTimeout(how.slowMs);
      if (how.refresh !== undefined && (await this.#isRefresh(ctx))) {
        this.counts.refreshes += 1;
        [ctx.status, ctx.body] = refreshAnswer(how.refresh);
        return;
      }
    }
    // The library grants nothing to those who ask for nothing; most servers have a default.
    if (ctx.path === '/auth' && ctx.query['scope'] === undefined) {
      ctx.query = { ...ctx.query, scope: this.#defaultScope };
    }
    if (ctx.path === '/token/revocation') {
      this.counts.revocations += 1;
      if (how.revocation === 'server-error') {
        ctx.status = 500;
        return;
      }
    }
    await next();
    this.#count(ctx);
    spoil(ctx, how);
  }

  /** The provider reads the body itself, so it is read here once and handed on as it expects it. */
  async #isRefresh(ctx: KoaContextWithOIDC): Promise<boolean> {
    const chunks: Buffer[] = [];
    for await (const chunk of ctx.req) chunks.push(chunk as Buffer);
    const body = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString('utf8')));
    Object.assign(ctx.req, { body });
    return body['grant_type'] === 'refresh_token';
  }

  #noteConfidences(ctx: KoaContextWithOIDC): void {
    const body: unknown = ctx.body;
    const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
    const location: unknown = ctx.response.headers['location'];
    const code =
      typeof location === 'string' && URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
    const told = members.flatMap(([name, value]: [string, unknown]) =>
      CONFIDENTIAL.has(name) && typeof value === 'string' ? [value] : [],
    );
    for (const secret of code === null ? told : [...told, code]) this.#confidences.add(secret);
  }

  #count(ctx: KoaContextWithOIDC): void {
    this.#noteConfidences(ctx);
    if (ctx.path === '/reg' && ctx.status === 201) this.counts.registrations += 1;
    if (ctx.path !== '/token') return;
    const counted = COUNTED[String(ctx.oidc?.params?.['grant_type'])];
    if (counted !== undefined) this.counts[counted] += 1;
    const body = ctx.body as { access_token?: unknown } | undefined;
    if (typeof body?.access_token === 'string') this.#issued.add(body.access_token);
  }
}
