import type { World } from '../behaviour/world.js';
import type { Era } from '../definition/era.js';
import type { Fault } from '../fault/fault.js';
import { isRequest, isResponse, type JsonRpcMessage } from '../json-rpc/message.js';
import type { TransportKind } from '../log/received.js';
import { claimsModern } from '../behaviour/modern-envelope.js';

/** A message as a transport took it in. */
export interface Arrival {
  readonly transport: TransportKind;
  readonly message: JsonRpcMessage;
  readonly headers: Readonly<Record<string, string>>;
  readonly sessionId: string | undefined;
  readonly connection: number;
}

export const eraOf = ({ options }: World, message: JsonRpcMessage, versionHeader: string | undefined): Era => {
  const eras = options.eras ?? 'legacy';
  if (eras !== 'both') return eras;
  return claimsModern(message, versionHeader) ? 'modern' : 'legacy';
};

const nameOf = (message: JsonRpcMessage): string | undefined => {
  const params = 'method' in message ? message.params : undefined;
  const name = params?.['name'] ?? params?.['uri'];
  return typeof name === 'string' ? name : undefined;
};

/** The fault that the script has for this message. */
export const faultFor = ({ script }: World, message: JsonRpcMessage): Fault =>
  script.take('method' in message ? message.method : 'response', nameOf(message));

export const recordArrival = (world: World, { message, ...arrival }: Arrival, era: Era): void => {
  const kind = isResponse(message) ? 'response' : isRequest(message) ? 'request' : 'notification';
  world.log.record({
    ...arrival,
    kind,
    era,
    method: 'method' in message ? message.method : '',
    id: 'id' in message && message.id !== null ? message.id : undefined,
    params: ('method' in message ? message.params : undefined) ?? {},
  });
};
