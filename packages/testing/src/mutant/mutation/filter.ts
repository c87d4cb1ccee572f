import { type Eras, MODERN_REVISIONS } from '../../definition/era.js';
import { isObject, type JsonObject } from '../../json-rpc/message.js';
import type { Mutation, MutantTransport } from './mutation.js';
import { META } from '../../json-rpc/meta-key.js';
import { INVALID_PARAMS, UNSUPPORTED_VERSION } from '../../json-rpc/rpc-error.js';

const keyOf = (message: JsonObject): string => JSON.stringify(message['id']);

const parsed = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** What became of a message on its way to the server. */
export interface Passage {
  /** What the server gets. */
  readonly forward: string | undefined;
  /** What the client gets at once, because the defect answers by itself. */
  readonly answer: string | undefined;
  readonly httpStatus: number;
}

/** What is in front of a server: its defect, and the eras that it speaks. */
export interface FilterSettings {
  readonly mutation: Mutation;
  readonly transport: MutantTransport;
  readonly eras: Eras;
}

/** What the reference answers by itself where the fake is more lenient than a model server should be. */
interface Correction {
  readonly error: JsonObject;
  readonly httpStatus: number;
}

const isModern = (params: JsonObject): boolean => isObject(params['_meta']) && META.protocolVersion in params['_meta'];

const correct = (message: JsonObject, eras: Eras): Correction | undefined => {
  if (message['method'] !== 'initialize' || !('id' in message)) return undefined;
  const params = isObject(message['params']) ? message['params'] : {};
  if (isModern(params)) return undefined;
  if (eras === 'modern') {
    const data = { supported: MODERN_REVISIONS, requested: params['protocolVersion'] };
    const text = `Unsupported protocol version; supported: ${MODERN_REVISIONS.join(', ')}`;
    return { error: { code: UNSUPPORTED_VERSION, message: text, data }, httpStatus: 400 };
  }
  const missing = ['capabilities', 'clientInfo'].find((name) => !isObject(params[name]));
  if (missing === undefined) return undefined;
  return { error: { code: INVALID_PARAMS, message: `${missing} is required` }, httpStatus: 200 };
};

/** Applies a mutation to the messages of one conversation. */
export class MessageFilter {
  readonly #mutation: Mutation;
  readonly #transport: MutantTransport;
  readonly #eras: Eras;
  readonly #requests = new Map<string, JsonObject>();

  constructor({ mutation, transport, eras }: FilterSettings) {
    this.#mutation = mutation;
    this.#transport = transport;
    this.#eras = eras;
  }

  /** Where HTTP+SSE says what answers a POST: on the stream of the conversation. */
  speak: ((text: string) => void) | undefined;

  /** Whether the server ends instead of taking this. */
  dies(text: string): boolean {
    const message = parsed(text);
    return message !== undefined && this.#mutation.dies?.(message) === true;
  }

  /** Text that is not a message passes unchanged. */
  toServer(text: string): Passage {
    const message = parsed(text);
    if (message === undefined) return { forward: text, answer: undefined, httpStatus: 200 };
    if ('id' in message && 'method' in message) this.#requests.set(keyOf(message), message);
    const context = { transport: this.#transport, request: message };
    const answer = this.#mutation.answer?.(message, context);
    if (answer !== undefined) return { forward: undefined, answer: JSON.stringify(answer), httpStatus: 200 };
    const correction = correct(message, this.#eras);
    if (correction !== undefined) {
      const response = JSON.stringify({ jsonrpc: '2.0', id: message['id'], error: correction.error });
      const [corrected] = this.toClient(response);
      return { forward: undefined, answer: corrected, httpStatus: correction.httpStatus };
    }
    const { toServer } = this.#mutation;
    if (toServer === undefined) return { forward: text, answer: undefined, httpStatus: 200 };
    const changed = toServer(message, context);
    return { forward: changed === undefined ? undefined : JSON.stringify(changed), answer: undefined, httpStatus: 200 };
  }

  /** `along` is the request whose stream the message came on. */
  toClient(text: string, along?: JsonObject): readonly string[] {
    const message = parsed(text);
    const { toClient } = this.#mutation;
    if (message === undefined || toClient === undefined) return [text];
    const request = ('method' in message ? undefined : this.#requests.get(keyOf(message))) ?? along;
    const changed = toClient(message, { transport: this.#transport, request });
    if (changed === undefined) return [];
    const messages: readonly JsonObject[] = Array.isArray(changed) ? changed : [changed as JsonObject];
    return messages.map((one) => (one === message ? text : JSON.stringify(one)));
  }
}

export { parsed as parseObject };
