import { isObject, type JsonObject } from '../json-rpc/message.js';
import { changeResult, defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';
import { answerSome, errorFor, paramsOf, resultFor } from './params.js';

const METHOD = 'completion/complete';

const completed = (values: readonly string[]): JsonObject => ({
  completion: { values, total: values.length, hasMore: false },
});

/** Suggests what was typed before. */
const remembers = (): Mutation => {
  const typed: string[] = [];
  return {
    toServer: (message) => {
      const argument = paramsOf(message)['argument'];
      if (message['method'] === METHOD && isObject(argument) && argument['value'] !== '') {
        typed.push(String(argument['value']));
      }
      return message;
    },
    toClient: changeResult(METHOD, (result, { request }) => {
      const argument = paramsOf(request)['argument'];
      return isObject(argument) && argument['value'] === '' ? { ...result, ...completed(typed.slice(-50)) } : result;
    }),
  };
};

export const completionMutants: readonly Mutant[] = [
  defineMutant({
    name: 'completion-of-two-hundred-values',
    kills: 'CMP-01',
    alsoKills: ['RPC-01', 'CMP-04'],
    defect: 'A completion has more than a hundred values.',
    mutation: {
      toClient: changeResult(METHOD, (result) => ({
        ...result,
        ...completed(Array.from({ length: 200 }, (_, index) => `value ${index}`)),
      })),
    },
  }),
  defineMutant({
    name: 'completion-for-an-unknown-prompt',
    kills: 'CMP-02',
    defect: 'Values are suggested for a prompt that does not exist.',
    mutation: {
      answer: answerSome(
        METHOD,
        ({ ref }) => isObject(ref) && ref['name'] === 'no-such-prompt-here',
        (message) => resultFor(message, completed([])),
      ),
    },
  }),
  defineMutant({
    name: 'completion-ignores-what-was-typed',
    kills: 'CMP-03',
    defect: 'The same values are suggested whatever was typed.',
    mutation: { toClient: changeResult(METHOD, (result) => ({ ...result, ...completed(['a', 'b']) })) },
  }),
  defineMutant({
    name: 'completion-refuses-context',
    kills: 'CMP-04',
    defect: 'A request with context is refused.',
    mutation: {
      answer: answerSome(
        METHOD,
        ({ context }) => context !== undefined,
        (message) => errorFor(message, -32_602, 'Unexpected member: context'),
      ),
    },
  }),
  defineMutant({
    name: 'completion-remembers-other-clients',
    kills: 'CMP-05',
    defect: 'What one client typed is suggested to others.',
    mutation: remembers,
  }),
];
