import { canonicalJson } from '@plugboard/schema';
import { isObject, type JsonObject } from '../connection/json.js';
import type { Recording } from './recording.js';

/** A request of the client and its outcome. */
export interface RecordedExchange {
  readonly method: string;
  readonly params: JsonObject;
  readonly request: JsonObject;
  /** Undefined when it was never answered. */
  readonly response: JsonObject | undefined;
}

const withoutMeta = (params: unknown): JsonObject => {
  if (!isObject(params)) return {};
  const { _meta, ...rest } = params;
  return rest;
};

/** What a request asks for, independently of its sender and its id. */
export const askedFor = (method: string, params: unknown): string =>
  method === 'initialize' || method === 'server/discover' ? method : `${method} ${canonicalJson(withoutMeta(params))}`;

/** Pairs the requests of the client with their answers, in the order in which they were sent. */
export const exchangesOf = ({ messages }: Recording): readonly RecordedExchange[] => {
  const open: RecordedExchange[] = [];
  const waiting = new Map<string, number>();
  for (const { from, message, conversation } of messages) {
    const { id, method } = message;
    const key = JSON.stringify([conversation, id]);
    if (from === 'client' && typeof method === 'string' && id !== undefined) {
      waiting.set(key, open.length);
      open.push({ method, params: withoutMeta(message['params']), request: message, response: undefined });
    } else if (from === 'server' && method === undefined && waiting.has(key)) {
      const index = waiting.get(key) ?? 0;
      const asked = open[index];
      if (asked !== undefined) open[index] = { ...asked, response: message };
      waiting.delete(key);
    }
  }
  return open;
};
