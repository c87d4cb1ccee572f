import type { CompletionQuery, FakeServerOptions } from '../definition/server-options.js';
import { isObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError } from '../json-rpc/rpc-error.js';
import { textOf } from '../stock/argument.js';
import type { Method, MethodTable } from './method.js';

const MAX_VALUES = 100;

const valuesFor = async (
  completions: FakeServerOptions['completions'],
  query: CompletionQuery,
): Promise<readonly string[]> => {
  if (typeof completions === 'function') return await completions(query);
  return (completions?.[query.argument] ?? []).filter((value) => value.startsWith(query.value));
};

const complete: Method = async (params, { world }) => {
  const { ref, argument } = params;
  if (!isObject(ref) || !isObject(argument)) throw new RpcError(INVALID_PARAMS, 'ref and argument are required');
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
