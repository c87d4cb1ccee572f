import { PlugboardError } from '@plugboard/contract';
import { isJsonObject, type JsonObject } from '@plugboard/wire';
import type { CallStep } from '../../call/step.js';
import { localResult } from '../../call/local-result.js';
import { UnfitArguments } from '../../call/unfit-arguments.js';
import { CALL_TOOL } from '../../offer/search/meta-tools.js';

/** The request that is meant by one for call_tool. */
const meant = (params: JsonObject): JsonObject => {
  const args = isJsonObject(params['arguments']) ? params['arguments'] : {};
  const { name, arguments: inner = {} } = args;
  if (typeof name !== 'string' || name === '' || name === CALL_TOOL) {
    throw new UnfitArguments(CALL_TOOL, [{ pointer: '/name', message: 'must be the name of a tool', keyword: 'type' }]);
  }
  if (!isJsonObject(inner)) {
    throw new UnfitArguments(CALL_TOOL, [{ pointer: '/arguments', message: 'must be an object', keyword: 'type' }]);
  }
  return { ...params, name, arguments: inner };
};

const isListed = (tools: readonly { readonly kind: string; readonly name: string }[]): boolean =>
  tools.some(({ kind, name }) => kind === 'local' && name === CALL_TOOL);

/**
 * Replaces a call of call_tool by a call of the tool that it names, before anybody looks for that tool: rights, limits,
 * progress and questions to the client work as if the tool had been called directly.
 */
export const unwrapCallTool: CallStep = (call, next) => {
  const wrapped = call.method === 'tools/call' && call.params['name'] === CALL_TOOL && isListed(call.scope.tools());
  if (!wrapped) return next(call);
  const params = meant(call.params);
  try {
    call.scope.findTool(String(params['name']));
  } catch (thrown) {
    // the model chose the name, so the model is told
    if (!(thrown instanceof PlugboardError)) throw thrown;
    return Promise.resolve(localResult(call, [thrown.message, thrown.hint].join(' ').trim(), { isError: true }));
  }
  call.notes?.flow?.decide('call_tool unwrapped');
  return next({ ...call, params });
};
