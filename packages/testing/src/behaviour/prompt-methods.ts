import type { FakePrompt } from '../definition/prompt.js';
import { isObject, type JsonObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError } from '../json-rpc/rpc-error.js';
import type { Method, MethodTable } from './method.js';
import { page } from './page.js';
import { fillTemplate } from './uri-template.js';

const listed = ({ text: _text, get: _get, extra, ...shown }: FakePrompt): JsonObject => ({ ...shown, ...extra });

const list: Method = (params, { world: { offer, options } }) =>
  page('prompts', offer.prompts.map(listed), { cursor: params['cursor'], pageSize: options.pageSize });

const get: Method = async (params, { world, call }) => {
  const prompt = world.offer.prompts.find((candidate) => candidate.name === params['name']);
  if (prompt === undefined) throw new RpcError(INVALID_PARAMS, `Unknown prompt: ${String(params['name'])}`);
  const given = isObject(params['arguments']) ? params['arguments'] : {};
  const odd = Object.entries(given).find(([, value]) => typeof value !== 'string');
  if (odd !== undefined) throw new RpcError(INVALID_PARAMS, `The argument ${odd[0]} must be a string`);
  const args = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const missing = prompt.arguments?.find((argument) => argument.required === true && !(argument.name in args));
  if (missing !== undefined) throw new RpcError(INVALID_PARAMS, `Missing required argument: ${missing.name}`);
  if (prompt.get !== undefined) return await prompt.get(args, call());
  return {
    ...(prompt.description === undefined ? {} : { description: prompt.description }),
    messages: [{ role: 'user', content: { type: 'text', text: fillTemplate(prompt.text ?? '', args) } }],
  };
};

export const promptMethods: MethodTable = { 'prompts/list': list, 'prompts/get': get };
