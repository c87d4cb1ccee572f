import type { Grant, ToolsetEntry } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeSteps } from '../../call/step.js';
import { sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { sampleCall } from '../../test-support/mcp-call.js';
import { changingCatalogue, sampleToolset } from '../../test-support/toolset.js';
import { ToolsetEndpoints } from '../toolset/toolset-endpoints.js';
import { toolsetView } from '../toolset/toolset-view.js';
import { explainUnfitArguments } from '../../pipeline/unwrap/explain-unfit-arguments.js';
import { Bm25Index } from './bm25-index.js';
import { unwrapCallTool } from '../../pipeline/unwrap/unwrap-call-tool.js';
import { wordsOf } from './tokenize.js';

describe('wordsOf', () => {
  it.each([
    ['listOpenIssues', ['list', 'open', 'issu']],
    ['list_open-issues', ['list', 'open', 'issu']],
    ['parseHTTPResponse2', ['pars', 'http', 'respons', '2']],
    ['Listing, listed & lists', ['list', 'list', 'list']],
    ['running stopped queries classes calling', ['run', 'stop', 'query', 'class', 'call']],
    ['Zürich 東京', ['zürich', '東', '京']],
    ['The list of a thing', ['list', 'thing']],
    ['', []],
  ])('splits %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each(['b c ', '\u{FDFA}', '\u4E00', 'aA', '1a'])('reads only the beginning of %j again and again', (text) => {
    // An agent may send megabytes; one of these characters is eighteen when it is normalised.
    expect(wordsOf(text.repeat(1_000_000)).length).toBeLessThanOrEqual(2000);
  });

  it('never fails and gives no empty words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const word of wordsOf(text)) expect(word).not.toBe('');
      }),
    );
  });
});

const titled = (id: string, ...texts: readonly string[]) => ({
  id,
  fields: texts.map((text, index) => ({ text, weight: index === 0 ? 3 : 1 })),
});

const index = await Bm25Index.of([
  titled('read_file', 'read_file', 'Reads a file from the disk.'),
  titled('delete_file', 'delete_file', 'Deletes a file.'),
  titled('forecast', 'forecast', 'Says what the weather will be in a city.'),
  titled('list_cities', 'list_cities', 'Lists cities with a weather station.'),
]);

describe('Bm25Index', () => {
  const names = (query: string, limit = 10) => index.search(query, limit).map(({ id }) => id);

  it('finds by name, by description and by other forms of a word', () => {
    expect(names('reading files')[0]).toBe('read_file');
    expect(names('weather in a city')[0]).toBe('list_cities');
    expect(names('what does the weather say')[0]).toBe('forecast');
    expect(names('deleted')).toEqual(['delete_file']);
    expect(names('no such word')).toEqual([]);
    expect(names('file', 1)).toHaveLength(1);
  });

  it('counts rare words more than common ones', () => {
    expect(names('file disk')[0]).toBe('read_file');
  });

  it('gives the same hits for the same documents in whichever order they come', async () => {
    const words = fc.constantFrom('read', 'file', 'list', 'city', 'weather', 'x');
    const text = fc.array(words, { maxLength: 6 }).map((each) => each.join(' '));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), text), { selector: ([id]) => id }),
        text,
        async (docs, query) => {
          const one = await Bm25Index.of(docs.map(([id, each]) => titled(id, each)));
          const two = await Bm25Index.of([...docs].reverse().map(([id, each]) => titled(id, each)));
          const ids = (hits: readonly { readonly id: string; readonly score: number }[]) =>
            hits.map(({ id, score }) => [id, score.toFixed(9)]);
          expect(ids(one.search(query, 100))).toEqual(ids(two.search(query, 100)));
          for (const { score } of one.search(query, 100)) expect(score).toBeGreaterThan(0);
        },
      ),
    );
  });
});

const server = sampleServer('files', 1);
const tools = Array.from({ length: 60 }, (_, number) =>
  sampleTool(server, `tool_${number}`, {
    description: `Handles matter number ${number} of the archive, with every detail that one could wish for.`,
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Where it is' }, [`part${number}`]: { type: 'string' } },
    },
  }),
);
const special = sampleTool(server, 'search_tools', { description: 'Sends a letter.\nMore text.' });
const entries: ToolsetEntry[] = [...tools, special].map((tool) => ({
  server_id: server.id,
  upstream_name: tool.upstream_name,
  ...(tool === special ? { name: 'search_tools' } : {}),
}));
const toolset = sampleToolset('many', { entries, exposure: 'search' });
const { source } = changingCatalogue([{ server, tools: [...tools, special] }], [toolset]);
const scope = new ToolsetEndpoints(source).find('many');

const run = async (name: string, args: JsonObject, era: 'legacy' | 'modern' = 'legacy') => {
  const seen: JsonObject[] = [];
  if (scope === undefined) throw new Error('there is no scope');
  const pipeline = composeSteps([
    explainUnfitArguments,
    unwrapCallTool,
    async (call) => {
      const tool = call.scope.findTool(String(call.params['name']));
      if (tool.kind === 'local') return tool.run(call.params['arguments'] as JsonObject, call);
      seen.push(call.params);
      return { content: [] };
    },
  ]);
  const result = (await pipeline(
    sampleCall('tools/call', { name, arguments: args, _meta: { x: 1 } }, { scope, era }),
  )) as {
    readonly isError?: boolean;
    readonly resultType?: string;
    readonly content: readonly { readonly text: string }[];
    readonly structuredContent?: {
      readonly tools?: readonly { readonly name: string; readonly description: string }[];
    };
  };
  return { result, seen, text: result.content[0]?.text ?? '' };
};

describe('a toolset that is searched', () => {
  it('lists three tools, and states what that saves, its own tools counted', () => {
    const view = toolsetView(toolset, source.snapshot());
    expect(view.listed.map(({ name }) => name)).toEqual(['search_tools', 'describe_tool', 'call_tool']);
    expect(view.tokens.listed).toBeGreaterThan(100);
    expect(view.tokens.saved).toBe(view.tokens.all - view.tokens.listed);
    expect(view.tokens.saved).toBeGreaterThan(view.tokens.all / 2);
    expect(view.callable.size).toBe(61);
  });

  it('finds by description and parameter, says names that can be called, and keeps to the limit', async () => {
    const { result } = await run('search_tools', { query: 'send letters' });
    expect(result.structuredContent?.tools?.[0]).toMatchObject({ description: 'Sends a letter.' });
    const name = result.structuredContent?.tools?.[0]?.name ?? '';
    expect(name).toMatch(/^search_tools_[0-9a-f]{8}$/u);
    expect((await run('call_tool', { name, arguments: {} })).seen).toHaveLength(1);
    const few = await run('search_tools', { query: 'archive', limit: 3 });
    expect(few.result.structuredContent?.tools).toHaveLength(3);
    expect((await run('search_tools', { query: 'part17' })).text).toContain('files__tool_17:');
    expect((await run('search_tools', { query: 'zzz' })).text).toContain('No tool');
  });

  it('describes a tool in full', async () => {
    const { text } = await run('describe_tool', { name: 'files__tool_3' });
    expect(JSON.parse(text)).toMatchObject({ name: 'files__tool_3', inputSchema: tools[3]?.input_schema });
    expect((await run('describe_tool', { name: 'nothing' })).result.isError).toBe(true);
  });

  it('calls the tool that is named as if it had been called directly', async () => {
    const { seen } = await run('call_tool', { name: 'files__tool_3', arguments: { path: 'a' } });
    expect(seen).toEqual([{ name: 'files__tool_3', arguments: { path: 'a' }, _meta: { x: 1 } }]);
    expect((await run('call_tool', { name: 'files__tool_3' })).seen[0]).toMatchObject({ arguments: {} });
  });

  it.each<[string, JsonObject]>([
    ['search_tools', {}],
    ['search_tools', { query: 7 }],
    ['describe_tool', {}],
    ['call_tool', {}],
    ['call_tool', { name: 'call_tool' }],
    ['call_tool', { name: 'files__tool_3', arguments: [] }],
  ])('tells the model what is wrong with %s %j', async (name, args) => {
    const { result, text, seen } = await run(name, args, 'modern');
    expect(result).toMatchObject({ isError: true, resultType: 'complete' });
    expect(text).toContain('do not fit');
    expect(seen).toEqual([]);
  });

  it('tells the model that there is no such tool', async () => {
    const { result, text, seen } = await run('call_tool', { name: 'nothing' });
    expect(result.isError).toBe(true);
    expect(text).toContain('search_tools finds the names');
    expect(seen).toEqual([]);
  });

  it('lets tools of other endpoints be called call_tool', async () => {
    const next = await unwrapCallTool(sampleCall('tools/call', { name: 'call_tool' }), async (call) => call.params);
    expect(next).toEqual({ name: 'call_tool' });
  });

  it('shows a caller only what it may use', async () => {
    const grant: Grant = {
      allowsServer: () => false,
      allowsToolset: () => true,
      allowsTool: ({ upstream_name }) => upstream_name === 'tool_3',
      allowsInToolset: ({ upstream_name }) => upstream_name === 'tool_3',
    };
    const { client } = sampleCall('x');
    const caller = { ...client, caller: { principal: 'a', grant: () => grant } };
    const ask = async (name: string, args: JsonObject) => {
      const tool = scope?.findTool(name);
      const result =
        tool?.kind === 'local' ? await tool.run(args, sampleCall('tools/call', {}, { client: caller })) : {};
      return JSON.stringify(result);
    };
    const found = await ask('search_tools', { query: 'matter of the archive', limit: 50 });
    expect(found).toContain('files__tool_3');
    expect(found).toContain('"searched":1');
    expect(found).not.toContain('files__tool_4');
    expect(await ask('describe_tool', { name: 'files__tool_4' })).toContain('There is no tool named');
  });
});
