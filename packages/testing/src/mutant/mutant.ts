import type { Era } from '../definition/era.js';
import type { JsonObject } from '../json-rpc/message.js';
import { isObject } from '../json-rpc/message.js';
import type { Mutation, MutationContext, MutantTransport } from './mutation/mutation.js';

/** The reference server with exactly one defect, and the check that must notice it. */
export interface Mutant {
  /** kebab-case, says the defect. */
  readonly name: string;
  /** The id of the check that it turns red. */
  readonly kills: string;
  /** Other checks that the same defect breaks of necessity. */
  readonly alsoKills?: readonly string[];
  /** What is wrong with it, in a sentence. */
  readonly defect: string;
  /** Where the defect shows; default: wherever the check applies. */
  readonly eras?: readonly Era[];
  readonly transports?: readonly MutantTransport[];
  /** The check calls it tolerable (a warning) although its level is MUST. */
  readonly doubtful?: boolean;
  /** Members of the target definition that the check needs to notice it. */
  readonly target?: JsonObject;
  /** A function when the defect has a memory: each server gets its own. */
  readonly mutation: Mutation | (() => Mutation);
}

export const defineMutant = (mutant: Mutant): Mutant => mutant;

type ChangeResult = (result: JsonObject, context: MutationContext) => JsonObject;

/** Changes the result of one method. */
export const changeResult =
  (method: string, change: ChangeResult): NonNullable<Mutation['toClient']> =>
  (message, context) =>
    context.request?.['method'] === method && isObject(message['result'])
      ? { ...message, result: change(message['result'], context) }
      : message;

/** Changes the error of any answer that has this code. */
export const changeError =
  (code: number, change: (error: JsonObject) => JsonObject): NonNullable<Mutation['toClient']> =>
  (message) =>
    isObject(message['error']) && message['error']['code'] === code
      ? { ...message, error: change(message['error']) }
      : message;

/** An object without some of its members. */
export const without = (object: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

/** The _meta of a request, or of the params of any message. */
export const metaOf = (message: JsonObject | undefined): JsonObject => {
  const params = message?.['params'];
  return isObject(params) && isObject(params['_meta']) ? params['_meta'] : {};
};

/** Answers one method with an error, whatever the reference says. */
export const replaceResult =
  (method: string, error: JsonObject): NonNullable<Mutation['toClient']> =>
  (message, { request }) =>
    request?.['method'] === method && 'result' in message ? { jsonrpc: '2.0', id: message['id'], error } : message;
