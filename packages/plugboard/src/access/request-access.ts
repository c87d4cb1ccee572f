import type { IncomingMessage } from 'node:http';
import { PlugboardError, type Principal, type Role, toPlugboardError } from '@plugboard/contract';
import type { Caller } from '@plugboard/gateway';
import type { AccessGate, Credentials } from './credential/access-gate.js';
import { authorize, RoleRefusal } from './authorize.js';
import type { Callers } from './callers.js';
import type { ClientAddress } from './client-address.js';
import { gatewayRoute } from './gateway-route.js';
import type { RouteId } from './route-roles.js';
import { mayUseSession } from './browser/own-page.js';
import { challenge, scopeChallenge } from './resource-metadata.js';
import { sessionTokenIn } from './browser/session-cookie.js';
import type { WebSession, WebSessions } from './browser/web-sessions.js';

export interface RequestAccessParts {
  readonly gate: AccessGate;
  readonly sessions: WebSessions;
  /** Where browsers reach the hub, when that is not where it listens. */
  readonly publicUrl: string | undefined;
  readonly callers: Callers;
  readonly addressOf: ClientAddress;
  /** Where clients can read how to get a token; undefined when none are accepted. */
  readonly metadataUrl: () => string | undefined;
}

interface Proof {
  readonly credentials: Credentials;
  /** The session that they come from. */
  readonly token?: string;
}

/** Somebody with a token of an authorization server, and not with a key. */
const TOKEN = /^Bearer +(?!pb_)/iu;

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' || value === undefined ? value : value[0];

/** Where every request from outside comes in: who it is from, and whether they may. */
export class RequestAccess {
  readonly #parts: RequestAccessParts;
  readonly #lacking = new WeakMap<IncomingMessage, readonly Role[]>();
  /** Requests whose sender was identified for one route, by rules that others do not have. */
  readonly #only = new WeakMap<IncomingMessage, RouteId>();

  constructor(parts: RequestAccessParts) {
    this.#parts = parts;
  }

  /** Who uses tools; undefined for somebody who has to say so and does not. At once where nobody has to. */
  callerOf(request: IncomingMessage): Principal | Promise<Principal | undefined> {
    const proof = this.#proofOf(request);
    return proof instanceof Promise ? proof.then((found) => this.#callerWith(found)) : this.#callerWith(proof);
  }

  /** The same, remembered for this route of the admin API, which is for callers of tools as well. */
  async identifyCaller(request: IncomingMessage, route: RouteId): Promise<Principal | undefined> {
    this.#only.set(request, route);
    return this.#remembered(request, await this.callerOf(request));
  }

  /** Who administers the hub; undefined for somebody who does not say who they are. */
  async identify(request: IncomingMessage): Promise<Principal | undefined> {
    const { credentials, token } = await this.#proofOf(request);
    return this.#remembered(request, await this.#settled(this.#parts.gate.identify(credentials), token));
  }

  /** Does the request carry credentials of its own, or the session of a browser? */
  isProven({ headers }: IncomingMessage): boolean {
    const { publicUrl } = this.#parts;
    if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) return true;
    return sessionTokenIn(headers.cookie, publicUrl?.startsWith('https:') === true) !== undefined;
  }

  /** Would the same request still be let in? While that cannot be told, it counts as let in. */
  async stillOpens(request: IncomingMessage): Promise<boolean> {
    const { gate } = this.#parts;
    const { authorization, apiKey } = (await this.#proofOf(request)).credentials;
    // Without any, it is the session of a browser that is over, or a caller who never had to say who it is.
    if (authorization === undefined && apiKey === undefined) return !this.isProven(request) && !(await gate.demanded());
    return gate.accepts({ authorization, apiKey });
  }

  /** Whose key it is, for somebody at this address. Throws UNAUTHENTICATED or RATE_LIMITED. */
  async holderOf(request: IncomingMessage, key: string): Promise<Principal> {
    const address = this.#parts.addressOf(request);
    const principal = await this.#parts.gate.identify({ authorization: `Bearer ${key}`, apiKey: undefined, address });
    if (principal === undefined) throw new PlugboardError('UNAUTHENTICATED', 'The hub does not know this key.');
    return principal;
  }

  /** The caller, if it may use this path of the gateway. */
  admitToGateway(request: IncomingMessage, principal: Principal | undefined, segments: readonly string[]): Caller {
    const route = gatewayRoute(segments);
    // A path that has no row is answered with 404 to those who are known at all.
    const admitted = route === undefined ? principal : this.#authorize(request, principal, route);
    if (admitted === undefined) throw new PlugboardError('UNAUTHENTICATED', 'The request has no key.');
    return this.#parts.callers.callerFor(admitted);
  }

  /** The caller, if it may use this route. */
  admit(request: IncomingMessage, route: string): Principal {
    const only = this.#only.get(request);
    const isKnown = only === undefined || only === route;
    return this.#authorize(request, isKnown ? this.#parts.callers.principalOf(request) : undefined, route);
  }

  #callerWith({ credentials, token }: Proof): Principal | Promise<Principal | undefined> {
    const principal = this.#parts.gate.identifyCaller(credentials);
    return principal instanceof Promise ? this.#settled(principal, token) : principal;
  }

  #remembered(request: IncomingMessage, principal: Principal | undefined): Principal | undefined {
    if (principal !== undefined) this.#parts.callers.remember(request, principal);
    return principal;
  }

  #authorize(request: IncomingMessage, principal: Principal | undefined, route: string): Principal {
    try {
      return authorize(principal, route);
    } catch (thrown) {
      if (thrown instanceof RoleRefusal) this.#lacking.set(request, thrown.roles);
      throw thrown;
    }
  }

  /** What a request that was refused is told about how to come back; undefined when other credentials do not help. */
  challengeFor(request: IncomingMessage, status: number): string | undefined {
    if (status === 401) return this.#missing(request);
    const metadataUrl = this.#parts.metadataUrl();
    const roles = this.#lacking.get(request);
    if (status !== 403 || roles === undefined || metadataUrl === undefined) return undefined;
    // A key has the role that it has; a token can be had with more.
    return TOKEN.test(request.headers.authorization ?? '') ? scopeChallenge(metadataUrl, roles) : undefined;
  }

  async #settled(principal: Promise<Principal | undefined>, token: string | undefined): Promise<Principal | undefined> {
    try {
      const found = await principal;
      if (found?.agent !== undefined) await this.#parts.callers.refresh();
      return found;
    } catch (thrown) {
      // The key was revoked or has run out: so has what was opened with it.
      if (token !== undefined && toPlugboardError(thrown).code === 'UNAUTHENTICATED') this.#parts.sessions.close(token);
      throw thrown;
    }
  }

  #credentialsOf(request: IncomingMessage): Credentials {
    const { authorization } = request.headers;
    const address = this.#parts.addressOf(request);
    return { authorization, apiKey: one(request.headers['x-api-key']), address };
  }

  /** What the request itself carries, else what its browser logged in with. */
  #proofOf(request: IncomingMessage): Proof | Promise<Proof> {
    const { sessions, publicUrl } = this.#parts;
    const sent = this.#credentialsOf(request);
    if (sent.authorization !== undefined || sent.apiKey !== undefined) return { credentials: sent };
    const token = sessionTokenIn(request.headers.cookie, publicUrl?.startsWith('https:') === true);
    if (token === undefined) return { credentials: sent };
    const withSession = (session: WebSession | undefined): Proof => {
      if (session === undefined || !mayUseSession(request, session, publicUrl)) return { credentials: sent };
      return { credentials: { ...sent, authorization: `Bearer ${session.credential.reveal()}` }, token };
    };
    const session = sessions.find(token);
    return session instanceof Promise ? session.then(withSession) : withSession(session);
  }

  #missing(request: IncomingMessage): string {
    const sent = request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined;
    return challenge(this.#parts.metadataUrl(), sent);
  }
}
