import { pageBytes } from '@plugboard/base';
import { MAX_JSON_DEPTH } from '@plugboard/contract';
import { repairResult } from '@plugboard/schema';
import {
  type Classified,
  type Era,
  isJsonObject,
  type JsonObject,
  parseMessages,
  type RequestId,
  resultMembers,
  scanAnswer,
} from '@plugboard/wire';
import { mayPass } from '../rpc/accepted-answer.js';
import { cutResult } from '../pipeline/limit/size/cut-result.js';

/** What has to be known of a call to make its answer fit for the client. */
export interface SettleOptions {
  /** The id that the server was given. */
  readonly id: RequestId;
  /** The era of the client. */
  readonly era: Era;
  /** What a result may have. */
  readonly maxBytes: number;
}

/** A member of a result: its value, or where it stands, written as JSON. */
export type SettledMember =
  | { readonly name: string; readonly value: unknown }
  | { readonly name: string; readonly start: number; readonly end: number };

export type Settled =
  | { readonly kind: 'result'; readonly bytes: Uint8Array; readonly members: readonly SettledMember[] }
  /** Whatever else came, as values. */
  | { readonly kind: 'messages'; readonly messages: readonly Classified[] };

/** A member that is longer stays written. */
const SMALL_BYTES = 4 * 1024;
/** What a message may have that is not the answer: it is built on the event loop. */
const MAX_OTHER_CHARS = 1024 * 1024;
const MAX_ERROR_CHARS = 64 * 1024;

const valueOf = (bytes: Buffer, start: number, end: number): unknown =>
  JSON.parse(bytes.toString('utf8', start, end)) as unknown;

/** An answer that can pass as it came: nothing of it is built. */
const asItCame = (bytes: Buffer, { id, era, maxBytes }: SettleOptions): Settled | undefined => {
  if (bytes.length > maxBytes) return undefined;
  const spans = scanAnswer(bytes, MAX_JSON_DEPTH);
  if (spans?.id === undefined || !mayPass(bytes, spans, { method: 'tools/call', era })) return undefined;
  if (String(valueOf(bytes, spans.id.start, spans.id.end)) !== String(id)) return undefined;
  const members = resultMembers(bytes, MAX_JSON_DEPTH)?.map(({ name, start, end }) =>
    end - start <= SMALL_BYTES ? { name, value: valueOf(bytes, start, end) } : { name, start, end },
  );
  return members && { kind: 'result', bytes, members };
};

/** Blocks with an address, which the hub may have to change. */
const hasAddress = (block: unknown): boolean =>
  isJsonObject(block) && (block['type'] === 'resource' || block['type'] === 'resource_link');

/** Is this a step on the way to a result, which means something to the hub? */
const isInterim = (result: JsonObject): boolean =>
  isJsonObject(result['task']) || (result['resultType'] !== undefined && result['resultType'] !== 'complete');

const staysValue = (name: string, value: unknown): boolean =>
  (name === 'content' && (!Array.isArray(value) || value.some(hasAddress))) ||
  (name === 'structuredContent' && !isJsonObject(value)) ||
  name === '_meta';

/** Writes the large members of a result one after the other. */
const written = (result: JsonObject): Settled => {
  const texts: string[] = [];
  let size = 0;
  const members = Object.entries(result).map(([name, value]): SettledMember => {
    const text = staysValue(name, value) ? undefined : JSON.stringify(value);
    if (text === undefined || text.length <= SMALL_BYTES) return { name, value };
    const start = size;
    texts.push(text);
    size += Buffer.byteLength(text);
    return { name, start, end: size };
  });
  const bytes = Buffer.from(pageBytes(size).buffer);
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return { kind: 'result', bytes, members };
};

const isOurs = (given: unknown, id: RequestId): boolean => String(given) === String(id);

const shortened = (message: Classified, id: RequestId): Classified => {
  switch (message.kind) {
    case 'result':
      // Nobody looks at what answers somebody else.
      return isOurs(message.message.id, id) ? message : { ...message, message: { ...message.message, result: {} } };
    case 'failure': {
      const { error } = message.message;
      const { data, ...rest } = { ...error, message: error.message.slice(0, MAX_ERROR_CHARS) };
      const keepsData = data !== undefined && JSON.stringify(data).length <= MAX_OTHER_CHARS;
      return { ...message, message: { ...message.message, error: keepsData ? { ...rest, data } : rest } };
    }
    case 'request':
    case 'notification':
      return JSON.stringify(message.message).length <= MAX_OTHER_CHARS
        ? message
        : { kind: 'invalid', reason: `a message that is no answer has more than ${MAX_OTHER_CHARS} characters` };
    case 'invalid':
      return message;
  }
};

const resultOf = (message: Classified | undefined, id: RequestId): unknown =>
  message?.kind === 'result' && isOurs(message.message.id, id) ? message.message.result : undefined;

/** Builds the answer, repairs it and cuts it, as the full path does with smaller ones. */
const thoroughly = (bytes: Buffer, { id, era, maxBytes }: SettleOptions): Settled => {
  const messages = parseMessages(bytes.toString('utf8'));
  const [only, ...others] = messages;
  const given = others.length === 0 ? resultOf(only, id) : undefined;
  if (given === undefined || (isJsonObject(given) && isInterim(given))) {
    return { kind: 'messages', messages: messages.map((message) => shortened(message, id)) };
  }
  const repaired = repairResult(given, { era, method: 'tools/call', params: {} });
  return written(cutResult(repaired as JsonObject, maxBytes));
};

/** Makes a large answer to `tools/call` fit for the client. Takes as long as the answer is large: not on the event loop. */
export const settleAnswer = (bytes: Buffer, options: SettleOptions): Settled =>
  asItCame(bytes, options) ?? thoroughly(bytes, options);
