import type { CompletionQuery, FakeServerOptions } from '../definition/server-options.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError } from '../json-rpc/rpc-error.js';
import { textOf } from '../stock/argument.js';
import type { Method, MethodTable } from './method.js';
import type { World } from './world.js';

const MAX_VALUES = 100;

const valuesFor = async (
  completions: FakeServerOptions['completions'],
  query: CompletionQuery,
): Promise<readonly string[]> => {
  if (typeof completions === 'function') return await completions(query);
  return (completions?.[query.argument] ?? []).filter((value) => value.startsWith(query.value));
};

/** A fake that offers neither prompts nor templates completes whatever it is asked for. */
const isOffered = (ref: JsonObject, { offer }: World): boolean => {
  if (offer.prompts.length + offer.resourceTemplates.length === 0) return true;
  return ref['type'] === 'ref/prompt'
    ? offer.prompts.some(({ name }) => name === ref['name'])
    : [...offer.resourceTemplates.map(({ uriTemplate }) => uriTemplate), ...offer.resources.map(({ uri }) => uri)].some(
        (uri) => uri === ref['uri'],
      );
};

const complete: Method = async (params, { world }) => {
  const { ref, argument } = params;
  if (!isObject(ref) || !isObject(argument)) throw new RpcError(INVALID_PARAMS, 'ref and argument are required');
  if (!isOffered(ref, world)) throw new RpcError(INVALID_PARAMS, 'Nothing of that name can be completed');
  const query = { ref, argument: textOf(argument, 'name'), value: textOf(argument, 'value') };
  const values = await valuesFor(world.options.completions, query);
  return {
    completion: {
      values: values.slice(0, MAX_VALUES),
      total: values.length,
      hasMore: values.length > MAX_VALUES,
    },
  };
};

export const completionMethods: MethodTable = { 'completion/complete': complete };
