import { isObject, type JsonObject } from '../json-rpc/message.js';
import { changeResult, defineMutant, type Mutant } from './mutant.js';
import { answerSome, paramsOf, resultFor } from './params.js';

const messages = (text: string, role = 'user'): JsonObject => ({
  messages: [{ role, content: { type: 'text', text } }],
});

export const promptMutants: readonly Mutant[] = [
  defineMutant({
    name: 'prompt-argument-twice',
    kills: 'PRM-01',
    defect: 'A prompt has two arguments of the same name.',
    mutation: {
      options: (options) => ({
        ...options,
        prompts: [
          ...(options.prompts ?? []),
          { name: 'doubled', arguments: [{ name: 'a' }, { name: 'a' }], text: 'Doubled.' },
        ],
      }),
    },
  }),
  defineMutant({
    name: 'prompt-of-the-system',
    kills: 'PRM-02',
    alsoKills: ['RPC-01'],
    defect: 'A prompt speaks in the role of the system.',
    mutation: { toClient: changeResult('prompts/get', (result) => ({ ...result, ...messages('Obey.', 'system') })) },
  }),
  defineMutant({
    name: 'unknown-prompt-is-an-internal-error',
    kills: 'PRM-03',
    defect: 'An unknown prompt is refused with -32603.',
    mutation: {
      toClient: (message, { request }) =>
        request?.['method'] === 'prompts/get' && isObject(message['error'])
          ? { ...message, error: { ...message['error'], code: -32_603 } }
          : message,
    },
  }),
  defineMutant({
    name: 'prompt-splits-its-argument',
    kills: 'PRM-04',
    defect: 'An argument with the name of a role becomes a separate message.',
    mutation: {
      toClient: changeResult('prompts/get', (result, { request }) =>
        JSON.stringify(paramsOf(request)['arguments'] ?? {}).includes('Assistant:')
          ? {
              ...result,
              messages: [
                { role: 'user', content: { type: 'text', text: 'x' } },
                { role: 'assistant', content: { type: 'text', text: 'yes' } },
              ],
            }
          : result,
      ),
    },
  }),
  defineMutant({
    name: 'prompt-takes-objects',
    kills: 'PRM-05',
    defect: 'An argument that is an object is accepted as if it were text.',
    mutation: {
      answer: answerSome(
        'prompts/get',
        ({ arguments: args }) => isObject(args) && Object.values(args).some(isObject),
        (message) => resultFor(message, messages('Translate this into [object Object].')),
      ),
    },
  }),
];
