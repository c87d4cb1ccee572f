import type { FakeTool } from '../definition/tool.js';
import type { JsonObject } from '../json-rpc/message.js';
import { addTool } from './change-options.js';
import { defineMutant, type Mutant } from './mutant.js';

const TITLED = {
  title: 'Added',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

const schema = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

const text = (description: string): JsonObject => ({ type: 'string', description });

const numbered = (count: number): JsonObject =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`part_${index}`, text(`Part number ${index} of it.`)]),
  );

const nested = (levels: number): JsonObject =>
  levels === 0
    ? text('The innermost.')
    : { type: 'object', description: 'A level.', properties: { inner: nested(levels - 1) } };

/** For each rule of the schema doctor, a tool that breaks it and is added to the reference. */
const ODD_TOOLS: Readonly<Record<string, readonly [string, FakeTool]>> = {
  'LNT-01': ['a description of one word', { name: 'fetch_note', description: 'Fetch', inputSchema: schema({}) }],
  'LNT-02': [
    'a parameter without a description',
    { name: 'fetch_note', inputSchema: schema({ id: { type: 'string' } }) },
  ],
  'LNT-05': ['a schema of eight levels', { name: 'fetch_note', inputSchema: schema({ outer: nested(8) }) }],
  'LNT-06': ['twenty parameters', { name: 'fetch_note', inputSchema: schema(numbered(20), { required: ['part_0'] }) }],
  'LNT-07': [
    'an array without items',
    { name: 'fetch_note', inputSchema: schema({ ids: { type: 'array', description: 'Which notes.' } }) },
  ],
  'LNT-08': [
    'a parameter without a type',
    { name: 'fetch_note', inputSchema: schema({ id: { description: 'Which note.' } }) },
  ],
  'LNT-09': [
    'a default that does not fit',
    { name: 'fetch_note', inputSchema: schema({ size: { type: 'string', description: 'How large.', default: 7 } }) },
  ],
  'LNT-10': [
    'a reference that leads nowhere',
    { name: 'fetch_note', inputSchema: schema({ id: { $ref: '#/$defs/none', description: 'Which note.' } }) },
  ],
  'LNT-19': [
    'a pattern that backtracks endlessly',
    { name: 'fetch_note', inputSchema: schema({ id: { ...text('Which note.'), pattern: '^(a+)+$' } }) },
  ],
};

export const lintMutants: readonly Mutant[] = Object.entries(ODD_TOOLS).map(([kills, [what, tool]]) =>
  defineMutant({
    name: `tool-with-${what.replaceAll(/[^a-z]+/gu, '-')}`,
    kills,
    defect: `A tool has ${what}.`,
    mutation: {
      options: addTool({ ...TITLED, description: 'Fetches a note and gives back its text.', ...tool }),
    },
  }),
);
