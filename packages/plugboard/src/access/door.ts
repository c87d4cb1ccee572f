import type { IncomingMessage } from 'node:http';
import { PlugboardError, type Principal, type Role } from '@plugboard/contract';
import type { Caller } from '@plugboard/gateway';
import type { AccessGate, Credentials } from './access-gate.js';
import { authorize, RoleRefusal } from './authorize.js';
import type { Callers } from './callers.js';
import { gatewayRoute } from './gateway-route.js';
import { challenge, scopeChallenge } from './resource-metadata.js';

export interface DoorParts {
  readonly gate: AccessGate;
  readonly callers: Callers;
  /** Where clients can read how to get a token; undefined when none are accepted. */
  readonly metadataUrl: () => string | undefined;
}

const TOKEN = /^Bearer +(?!pb_)/iu;

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' || value === undefined ? value : value[0];

const credentialsOf = ({ headers, socket }: IncomingMessage): Credentials => ({
  authorization: headers.authorization,
  apiKey: one(headers['x-api-key']),
  address: socket.remoteAddress ?? '',
});

/** Where every request from outside comes in: who it is from, and whether they may. */
export class Door {
  readonly #parts: DoorParts;
  readonly #lacking = new WeakMap<IncomingMessage, readonly Role[]>();

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  /** Undefined for somebody who does not say who they are. */
  async identify(request: IncomingMessage): Promise<Principal | undefined> {
    const principal = await this.#parts.gate.identify(credentialsOf(request));
    if (principal !== undefined) await this.#parts.callers.admit(request, principal);
    return principal;
  }

  /** Whoever may use this path of the gateway. */
  admitToGateway(request: IncomingMessage, segments: readonly string[]): Caller {
    const route = gatewayRoute(segments);
    const principal = this.#parts.callers.principalOf(request);
    // A path that has no row is answered with 404 to those who are known at all.
    if (route === undefined && principal === undefined) throw new PlugboardError('UNAUTHENTICATED', 'Who calls?');
    if (route !== undefined) this.admit(request, route);
    return this.#parts.callers.callerOf(request);
  }

  /** Whoever may use this route. */
  admit(request: IncomingMessage, route: string): Principal {
    try {
      return authorize(this.#parts.callers.principalOf(request), route);
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

  #missing(request: IncomingMessage): string {
    const sent = request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined;
    return challenge(this.#parts.metadataUrl(), sent);
  }
}
