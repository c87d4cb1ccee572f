import type { Era } from '../definition/era.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { META } from '../json-rpc/meta-key.js';
import type { Mutation } from './mutation/mutation.js';

/** The params of a message, or none. */
export const paramsOf = (message: JsonObject | undefined): JsonObject =>
  isObject(message?.['params']) ? message['params'] : {};

/** The era that a request of the client belongs to, by its metadata. */
export const eraOf = (message: JsonObject | undefined): Era => {
  const meta = paramsOf(message)['_meta'];
  return isObject(meta) && META.protocolVersion in meta ? 'modern' : 'legacy';
};

/** A result that the defect gives by itself. */
export const resultFor = (message: JsonObject, result: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  id: message['id'],
  result: { resultType: 'complete', ...result },
});

export const errorFor = (message: JsonObject, code: number, text: string): JsonObject => ({
  jsonrpc: '2.0',
  id: message['id'],
  error: { code, message: text },
});

/** Answers some requests of a method in place of the server. */
export const answerSome =
  (
    method: string,
    pick: (params: JsonObject) => boolean,
    answer: (message: JsonObject) => JsonObject,
  ): NonNullable<Mutation['answer']> =>
  (message) =>
    message['method'] === method && 'id' in message && pick(paramsOf(message)) ? answer(message) : undefined;
