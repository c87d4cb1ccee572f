import type { FakeTool } from '../definition/tool.js';
import { addTool } from './change-options.js';
import { defineMutant, type Mutant } from './mutant.js';
import type { Mutation } from './mutation/mutation.js';

const tool = (name: string, more: Partial<FakeTool> = {}): Mutation => ({
  options: addTool({
    name,
    description: 'Fetches a note and gives back its text.',
    inputSchema: { type: 'object', properties: {} },
    ...more,
  }),
});

const many = (count: number): Mutation => ({
  options: (options) =>
    Array.from({ length: count }, (_, index) => `fetch_note_${index}`).reduce(
      (changed, name) => addTool({ name, inputSchema: { type: 'object', properties: {} } })(changed),
      options,
    ),
});

const LONG_NAME = `fetch_${'very_'.repeat(14)}long`;

export const providerMutants: readonly Mutant[] = [
  defineMutant({
    name: 'tool-without-title-and-hints',
    kills: 'ANT-05',
    defect: 'A tool has neither a title nor hints.',
    mutation: tool('fetch_note'),
  }),
  defineMutant({
    name: 'name-too-long-behind-a-prefix',
    kills: 'HST-03',
    defect: 'With the name of the server before it, the name of a tool is too long.',
    mutation: tool(`fetch_${'a'.repeat(52)}`),
  }),
  defineMutant({
    name: 'names-that-fall-together',
    kills: 'HST-04',
    defect: 'Two names differ in characters only that many hosts replace.',
    mutation: { options: (options) => addTool({ name: 'get.status', inputSchema: { type: 'object' } })(options) },
  }),
  defineMutant({
    name: 'name-that-openai-refuses',
    kills: 'OAI-01',
    defect: 'A tool has a dot in its name.',
    mutation: tool('notes.fetch'),
  }),
  defineMutant({
    name: 'more-tools-than-openai-takes',
    kills: 'OAI-02',
    defect: 'There are 150 tools.',
    mutation: many(150),
  }),
  defineMutant({
    name: 'description-that-openai-cuts',
    kills: 'OAI-03',
    defect: 'A description has 1,500 characters.',
    mutation: tool('fetch_note', { description: 'Fetches a note. '.repeat(94) }),
  }),
  defineMutant({
    name: 'description-that-azure-refuses',
    kills: 'AZR-01',
    defect: 'A description has 1,500 characters.',
    mutation: tool('fetch_note', { description: 'Fetches a note. '.repeat(94) }),
  }),
  defineMutant({
    name: 'name-that-anthropic-refuses',
    kills: 'ANT-01',
    defect: 'A tool has a dot in its name.',
    mutation: tool('notes.fetch'),
  }),
  defineMutant({
    name: 'description-that-claude-code-cuts',
    kills: 'ANT-06',
    defect: 'A description has 3,000 characters.',
    mutation: tool('fetch_note', { description: 'Fetches a note. '.repeat(190) }),
  }),
  defineMutant({
    name: 'name-that-gemini-refuses',
    kills: 'GEM-01',
    defect: 'The name of a tool begins with a digit.',
    mutation: tool('1st_note'),
  }),
  defineMutant({
    name: 'name-that-bedrock-refuses',
    kills: 'BED-01',
    defect: 'A tool has a dot in its name.',
    mutation: tool('notes.fetch'),
  }),
  defineMutant({
    name: 'description-that-bedrock-refuses',
    kills: 'BED-02',
    defect: 'A description is empty.',
    mutation: tool('fetch_note', { description: '' }),
  }),
  defineMutant({
    name: 'name-that-cursor-refuses',
    kills: 'HST-01',
    defect: 'The name of a tool has 80 characters.',
    mutation: tool(LONG_NAME),
  }),
  defineMutant({
    name: 'schema-not-strict-for-openai',
    kills: 'OAI-13',
    defect: 'A tool has an optional parameter, which strict mode can do with only after a conversion.',
    mutation: tool('fetch_note', {
      inputSchema: { type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false },
    }),
  }),
  defineMutant({
    name: 'schema-not-strict-for-anthropic',
    kills: 'ANT-08',
    defect: 'A tool has a schema whose object is open.',
    mutation: tool('fetch_note', { inputSchema: { type: 'object', properties: { id: { type: 'string' } } } }),
  }),
];
