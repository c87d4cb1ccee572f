import type { IncomingMessage } from 'node:http';
import { PlugboardError, type Principal } from '@plugboard/contract';
import type { Caller } from '@plugboard/gateway';
import type { AccessGate, Credentials } from './access-gate.js';
import { authorize } from './authorize.js';
import type { Callers } from './callers.js';
import { gatewayRoute } from './gateway-route.js';
import { challenge } from './resource-metadata.js';

export interface DoorParts {
  readonly gate: AccessGate;
  readonly callers: Callers;
  /** Where clients can read how to get a token; undefined when none are accepted. */
  readonly metadataUrl: () => string | undefined;
}

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
    if (route !== undefined) authorize(principal, route);
    return this.#parts.callers.callerOf(request);
  }

  /** What a request that was refused for want of credentials is told. */
  challengeFor(request: IncomingMessage): string {
    const sent = request.headers.authorization !== undefined || request.headers['x-api-key'] !== undefined;
    return challenge(this.#parts.metadataUrl(), sent);
  }
}
