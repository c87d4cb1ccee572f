import { isJsonObject, tryJson } from '@plugboard/base';
import { maskUrl } from '@plugboard/contract';
import { kindOf, redactArguments } from '@plugboard/gateway';

const MAX_TEXT = 200;
const MAX_MEMBERS = 30;

const textOf = (value: unknown): unknown => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : kindOf(value));

const asIs = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' || value === null ? value : textOf(value);

/** The prefix that the protocol gives its own members says nothing in a log of the protocol. */
const PREFIX = 'io.modelcontextprotocol/';

const namesOf = (value: unknown): unknown => {
  if (!isJsonObject(value)) return kindOf(value);
  const names = Object.keys(value).slice(0, MAX_MEMBERS).join(', ').replaceAll(PREFIX, '').slice(0, MAX_TEXT);
  return names === '' ? 'none' : names;
};

const program = (value: unknown): unknown =>
  isJsonObject(value)
    ? `${String(textOf(value['name']))} ${String(textOf(value['version'] ?? ''))}`.trim()
    : kindOf(value);

const uri = (value: unknown): unknown =>
  typeof value === 'string' ? maskUrl(value).slice(0, MAX_TEXT) : kindOf(value);

const args = (value: unknown): unknown => JSON.parse(redactArguments(value));

/**
 * Members of parameters and results that say what a message is about. Everything else may hold what a user, a model or a
 * server wrote, so it is shown by its kind alone.
 */
const SHOWN: Readonly<Record<string, (value: unknown) => unknown>> = {
  _meta: namesOf,
  arguments: args,
  capabilities: namesOf,
  clientInfo: program,
  isError: asIs,
  level: asIs,
  name: textOf,
  progress: asIs,
  progressToken: asIs,
  protocolVersion: textOf,
  requestId: asIs,
  resultType: textOf,
  serverInfo: program,
  total: asIs,
  uri,
};

const sketchMembers = (value: unknown): unknown => {
  if (!isJsonObject(value)) return value === undefined ? undefined : kindOf(value);
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_MEMBERS)
      .map(([name, member]) => [
        name.slice(0, MAX_TEXT),
        (Object.hasOwn(SHOWN, name) ? SHOWN[name] : kindOf)?.(member) ?? kindOf(member),
      ]),
  );
};

/** A server may put anything into the text of an error; its number and our code say what it is. */
const sketchError = (error: unknown): unknown => {
  if (!isJsonObject(error)) return kindOf(error);
  const { code, message, data } = error;
  const ours = isJsonObject(data) && typeof data['code'] === 'string' ? { reason: textOf(data['code']) } : {};
  return { code: asIs(code), ...ours, message: kindOf(message) };
};

export interface MessageSketch {
  readonly kind: 'request' | 'notification' | 'result' | 'error' | 'batch' | 'unreadable';
  readonly id?: unknown;
  readonly method?: unknown;
  readonly bytes: number;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** What a JSON-RPC message is, without the values that it carries. */
export const sketchMessage = (given: unknown): MessageSketch => {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const bytes = Buffer.byteLength(text);
  const message = typeof given === 'string' ? tryJson(given) : given;
  if (Array.isArray(message)) return { kind: 'batch', bytes };
  if (!isJsonObject(message)) return { kind: 'unreadable', bytes };
  const { id, method, params, result, error } = message;
  const head = id === undefined ? {} : { id: asIs(id) };
  if (method !== undefined) {
    const about = { method: textOf(method), bytes, params: sketchMembers(params) };
    return id === undefined ? { kind: 'notification', ...about } : { kind: 'request', ...head, ...about };
  }
  return error === undefined
    ? { kind: 'result', ...head, bytes, result: sketchMembers(result) }
    : { kind: 'error', ...head, bytes, error: sketchError(error) };
};
