import type { JsonObject } from '../json-rpc/message.js';
import { changeResult, defineMutant, type Mutant } from './mutant.js';
import { eraOf, paramsOf } from './params.js';

const cursorOf = (message: JsonObject | undefined): unknown => paramsOf(message)['cursor'];

const withoutCursor = (message: JsonObject): JsonObject => {
  const { cursor: _cursor, ...params } = paramsOf(message);
  return { ...message, params };
};

const isList = (message: JsonObject): boolean => String(message['method']).endsWith('/list');

/** Reads the lists of other kinds from the same place. */
const translated = (message: JsonObject): JsonObject => {
  const cursor = cursorOf(message);
  if (!isList(message) || typeof cursor !== 'string') return message;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith('page:')) return message;
  const key =
    message['method'] === 'resources/templates/list' ? 'resourceTemplates' : String(message['method']).split('/')[0];
  const moved = Buffer.from(text.replace(/^page:[^:]+:/u, `page:${key}:`)).toString('base64url');
  return { ...message, params: { ...paramsOf(message), cursor: moved } };
};

/** Forgets one element of every second walk. */
const forgetful = (): { toClient: ReturnType<typeof changeResult> } => {
  const walks = { legacy: 0, modern: 0 };
  return {
    toClient: changeResult('prompts/list', (result, { request }) => {
      const era = eraOf(request);
      if (cursorOf(request) === undefined) walks[era] += 1;
      const prompts = Array.isArray(result['prompts']) ? (result['prompts'] as unknown[]) : [];
      return walks[era] % 2 === 0 ? { ...result, prompts: prompts.slice(1) } : result;
    }),
  };
};

export const paginationMutants: readonly Mutant[] = [
  defineMutant({
    name: 'cursor-leads-to-the-beginning',
    kills: 'PAG-01',
    alsoKills: ['RES-01'],
    defect: 'Every page of resources is the first one.',
    mutation: {
      toServer: (message) => (message['method'] === 'resources/list' ? withoutCursor(message) : message),
    },
  }),
  defineMutant({
    name: 'any-cursor-is-taken',
    kills: 'PAG-02',
    defect: 'An invented cursor leads to the first page.',
    mutation: {
      toServer: (message) =>
        isList(message) && String(cursorOf(message)).startsWith('plugboard') ? withoutCursor(message) : message,
    },
  }),
  defineMutant({
    name: 'cursor-of-another-list',
    kills: 'PAG-04',
    defect: 'A cursor of one list is accepted by another.',
    mutation: { toServer: translated },
  }),
  defineMutant({
    name: 'second-walk-finds-less',
    kills: 'PAG-05',
    defect: 'Every second walk misses a prompt.',
    mutation: forgetful,
  }),
  defineMutant({
    name: 'second-page-is-public',
    kills: 'PAG-06',
    defect: 'Pages after the first have another cacheScope.',
    mutation: {
      toClient: changeResult('tools/list', (result, { request }) =>
        cursorOf(request) === undefined ? result : { ...result, cacheScope: 'public' },
      ),
    },
  }),
];
