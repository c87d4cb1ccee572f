import { parseBoundedJson, PlugboardError } from '@plugboard/contract';
import { type Classified, classifyMessage, isJsonObject, type RequestId, type Revision } from '@plugboard/wire';

/** Every message of a batch is worked on at the same time, and all answers wait for the last. */
export const MAX_BATCH = 100;

const invalid = (reason: string): PlugboardError =>
  new PlugboardError('INVALID_REQUEST', reason, { hint: 'Send one JSON-RPC 2.0 message.' });

export const batchTooLong = (): PlugboardError =>
  new PlugboardError('INVALID_REQUEST', `The batch is too long: it may have at most ${MAX_BATCH} messages.`, {
    hint: 'Send several smaller batches.',
    details: { limit: MAX_BATCH },
  });

export type Message = Exclude<Classified, { kind: 'invalid' }>;

const read = (value: unknown): Message => {
  const classified = classifyMessage(value);
  if (classified.kind === 'invalid') throw invalid(`This is not a JSON-RPC message: ${classified.reason}.`);
  if (classified.kind !== 'request') return classified;
  const { id, params } = classified.message;
  if (typeof id === 'number' && !Number.isInteger(id)) throw invalid('"id" must be a string or a whole number.');
  if (params !== undefined && !isJsonObject(params)) throw invalid('"params" must be an object.');
  return classified;
};

export interface ReadBody {
  readonly messages: readonly Message[];
  readonly isBatch: boolean;
}

/** Reads a body as one message or a batch. Throws INVALID_JSON or INVALID_REQUEST. */
export const readMessages = (body: string): ReadBody => {
  if (body.trim() === '') {
    throw new PlugboardError('INVALID_JSON', 'The body is empty.', { hint: 'POST one JSON-RPC message.' });
  }
  return messagesIn(parseBoundedJson(body));
};

/** The same for a body that was parsed. */
export const messagesIn = (value: unknown): ReadBody => {
  if (!Array.isArray(value)) return { messages: [read(value)], isBatch: false };
  if (value.length === 0) throw invalid('The batch is empty.');
  if (value.length > MAX_BATCH) throw batchTooLong();
  return { messages: value.map(read), isBatch: true };
};

/** Whose answer the refusal of a body is: on a channel nothing else would tell. Null when that cannot be known. */
export const requestIdIn = (body: string): RequestId | null => {
  try {
    const value: unknown = JSON.parse(body);
    const { id, method } = isJsonObject(value) ? value : {};
    const isRequest = typeof method === 'string' && (typeof id === 'string' || Number.isInteger(id));
    return isRequest ? (id as RequestId) : null;
  } catch {
    return null;
  }
};

/** Throws INVALID_REQUEST where a revision has no batches. */
export const checkBatch = ({ id, features }: Revision): void => {
  if (!features.batching) throw invalid(`Revision ${id} has no batches.`);
};
