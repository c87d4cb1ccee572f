import type { ToolDefinition } from '@plugboard/contract';
import { gradeTool, legacyDefinition, repairDefinition, repairResult } from '@plugboard/schema';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { officialClients, type Era, type OfficialClient } from '../../support/official-clients.js';
import { corpusServers } from '../../support/tool-corpus.js';

/** What the repairs make of anything is accepted by every official client, in its era. */

let clients: readonly OfficialClient[];
let answers: Readonly<Record<Era, unknown>> = { legacy: {}, modern: {} };
beforeAll(async () => {
  clients = await officialClients((_, era) => answers[era]);
});
afterAll(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
});

const MODERN = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** Those who refuse what they are given, with their reasons. */
const refusals = async (method: string, given: typeof answers, params?: Record<string, unknown>) => {
  answers = given;
  const asked = clients.map(({ ask }) => ask(method, params));
  return (await Promise.allSettled(asked)).flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
};

const listable = (definition: ToolDefinition): readonly ToolDefinition[] => {
  const grade = gradeTool(definition);
  return grade.status === 'INVALID' ? [] : [repairDefinition(definition, grade).definition];
};

const toolRefusals = (definitions: readonly ToolDefinition[]) => {
  const tools = definitions.flatMap(listable);
  return refusals('tools/list', {
    legacy: { tools: tools.map((tool) => legacyDefinition(tool)) },
    modern: { ...MODERN, tools },
  });
};

const junk = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, 0, 7.5, -1, '', 'x', [], {}, ['x'], { a: 1 }) },
  fc.json().map((text) => JSON.parse(text) as unknown),
);
const maybe = (name: string, value: fc.Arbitrary<unknown>) =>
  fc.option(value, { nil: undefined }).map((given) => (given === undefined ? {} : { [name]: given }));
const holder = (shape: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .tuple(...Object.entries(shape).map(([name, value]) => maybe(name, fc.oneof(value, junk))))
    .map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);

const schema = fc.letrec<{ any: unknown; node: unknown }>((tie) => ({
  any: fc.oneof({ maxDepth: 4 }, fc.boolean(), tie('node')),
  node: holder({
    type: fc.constantFrom('object', 'array', 'string', 'strin', ['object', 'null']),
    $id: fc.constantFrom('x', 'https://example.com/x'),
    $schema: fc.constantFrom('http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema'),
    $ref: fc.constantFrom('#', '#/$defs/a', '#/nope', 'x', '#named'),
    pattern: fc.constantFrom('^a$', '('),
    enum: fc.constantFrom(['a'], []),
    nullable: fc.boolean(),
    id: fc.constant('old'),
    required: fc.constantFrom(['a'], 'a'),
    properties: fc.dictionary(fc.constantFrom('a', 'b', '$id'), tie('any'), { maxKeys: 2 }),
    $defs: fc.dictionary(fc.constantFrom('a', 'b'), tie('any'), { maxKeys: 2 }),
    items: tie('any'),
    anyOf: fc.array(tie('any'), { maxLength: 2 }),
  }),
})).node;

const icons = fc.array(
  holder({
    src: fc.constant('data:,'),
    mimeType: fc.constant('image/png'),
    sizes: fc.constantFrom<unknown>('any', ['any']),
    theme: fc.constantFrom('light', 'blue'),
  }),
  { maxLength: 2 },
);
const annotations = holder({
  audience: fc.constantFrom(['user'], ['robot']),
  priority: fc.constantFrom(0.5, 5),
  lastModified: fc.constantFrom('2026-02-28T10:00:00Z', '2026-02-30T10:00:00Z', 'today', '2026-01-01'),
});
const tool = holder({
  title: fc.constant('t'),
  description: fc.constant('d'),
  inputSchema: schema,
  outputSchema: schema,
  icons,
  annotations: holder({ title: fc.constant('t'), readOnlyHint: fc.boolean(), openWorldHint: fc.boolean() }),
  execution: holder({ taskSupport: fc.constantFrom('optional', 'never') }),
  _meta: fc.constant({ a: 1 }),
}).map((members): ToolDefinition => ({ ...members, name: 'x' }));

const resourceMembers = {
  uri: fc.constant('a://b'),
  uriTemplate: fc.constant('a://{b}'),
  name: fc.constant('n'),
  title: fc.constant('t'),
  description: fc.constant('d'),
  mimeType: fc.constant('text/plain'),
  size: fc.constant(3),
  icons,
  annotations,
  _meta: fc.constant({ a: 1 }),
};
const contents = holder({
  uri: fc.constant('a://b'),
  mimeType: fc.constant('text/plain'),
  text: fc.constant('hello'),
  blob: fc.constantFrom('aGk=', 'aG k', 'a-_b', '%%%', 'abcde'),
  _meta: fc.constant({ a: 1 }),
});
const block = fc
  .oneof(
    junk,
    holder({
      type: fc.constantFrom('text', 'image', 'audio', 'resource', 'resource_link', 7),
      text: fc.constant('hello'),
      data: fc.constantFrom('aGk=', 'a-_b', '%%%', 'abcde'),
      resource: contents,
      ...resourceMembers,
    }),
    // Types that a client does not know pass as they are, for clients that do.
  )
  .filter((value) => {
    const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
    return typeof type !== 'string' || ['text', 'image', 'audio', 'resource', 'resource_link'].includes(type);
  });
const meta = holder({ progressToken: fc.constantFrom<unknown>('t', 1, 1.5), a: junk });

const repaired = (method: string, result: unknown, params: Record<string, unknown> = {}): typeof answers => ({
  legacy: repairResult(result, { era: 'legacy', method, params }),
  modern: { resultType: 'complete', ...(repairResult(result, { era: 'modern', method, params }) as object) },
});

const RUNS = { numRuns: 60 };

describe('repaired tools', () => {
  it('of anything are accepted, one by one', async () => {
    await fc.assert(
      fc.asyncProperty(tool, async (definition) => {
        expect(await toolRefusals([definition])).toEqual([]);
      }),
      RUNS,
    );
  });

  it('of anything are accepted together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tool, { minLength: 2, maxLength: 8 }), async (tools) => {
        expect(await toolRefusals(tools)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('of every server in the corpus, and the broken ones, are accepted one by one and together', async () => {
    const all = (await corpusServers()).flatMap(({ tools }) => tools);
    expect(all.length).toBeGreaterThan(1500);
    for (const definition of all) expect(await toolRefusals([definition])).toEqual([]);
    expect(await toolRefusals(all)).toEqual([]);
  });
});

describe('repaired results', () => {
  const PARAMS: Readonly<Record<string, Record<string, unknown>>> = {
    'tools/call': { name: 'x' },
    'resources/read': { uri: 'a://b' },
    'prompts/get': { name: 'x' },
    'completion/complete': { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } },
  };

  it.each<[string, Readonly<Record<string, fc.Arbitrary<unknown>>>]>([
    [
      'prompts/list',
      {
        prompts: fc.array(
          holder({
            name: fc.constant('n'),
            title: junk,
            description: junk,
            icons,
            arguments: fc.array(holder({ name: fc.constant('a'), required: fc.boolean(), description: junk })),
          }),
        ),
        nextCursor: fc.constant(null),
      },
    ],
    [
      'resources/list',
      { resources: fc.array(holder(resourceMembers), { maxLength: 3 }), nextCursor: fc.constant(null) },
    ],
    [
      'resources/templates/list',
      { resourceTemplates: fc.array(holder(resourceMembers), { maxLength: 3 }), nextCursor: fc.constant(null) },
    ],
    ['tools/call', { content: fc.array(block, { maxLength: 4 }), structuredContent: junk, isError: fc.boolean() }],
    ['resources/read', { contents: fc.oneof(contents, fc.array(contents, { maxLength: 3 })) }],
    [
      'prompts/get',
      {
        description: junk,
        messages: fc.array(
          holder({ role: fc.constantFrom('user', 'assistant', 'system'), content: fc.oneof(block, fc.array(block)) }),
          { maxLength: 3 },
        ),
      },
    ],
    [
      'completion/complete',
      {
        completion: holder({
          values: fc.array(fc.oneof(fc.constant('v'), junk), { maxLength: 120 }),
          total: junk,
          hasMore: junk,
        }),
      },
    ],
  ])('of %s are accepted, whatever was sent', async (method, shape) => {
    const result = fc.oneof(
      { weight: 9, arbitrary: holder({ ...shape, _meta: meta, ttlMs: junk, cacheScope: junk }) },
      junk,
    );
    const clean = result.filter((value) => !(typeof value === 'object' && value !== null && 'task' in value));
    await fc.assert(
      fc.asyncProperty(clean, async (value) => {
        expect(await refusals(method, repaired(method, value, PARAMS[method]), PARAMS[method])).toEqual([]);
      }),
      RUNS,
    );
  });

  it('are the very same objects when there was nothing to repair', () => {
    const sound = {
      'tools/call': {
        content: [
          { type: 'text', text: 'a', annotations: { priority: 1 } },
          { type: 'hologram', data: 1 },
        ],
        vendor: 1,
      },
      'resources/read': { contents: [{ uri: 'a://b', blob: 'aGk=', vendor: 1 }] },
      'prompts/get': { messages: [{ role: 'user', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } }] },
      'prompts/list': { prompts: [{ name: 'a', vendor: 1 }] },
      'completion/complete': { completion: { values: ['a'], total: 1 } },
    };
    for (const [method, result] of Object.entries(sound)) {
      expect(repairResult(result, { era: 'legacy', method, params: {} })).toBe(result);
    }
  });
});
