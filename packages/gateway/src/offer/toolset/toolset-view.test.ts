import type { Toolset, ToolsetEntry } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import { describe, expect, it } from 'vitest';
import { sampleServer, sampleTool } from '../../test-support/catalogue.js';
import { changingCatalogue, sampleToolset } from '../../test-support/toolset.js';
import { ToolsetEndpoints } from './toolset-endpoints.js';
import { toolNotOffered, toolsetOffer, type ToolsetView, toolsetView } from './toolset-view.js';

/** A call as the server takes it. */
const toUpstreamCall = (view: ToolsetView, name: string, args: JsonObject) => {
  const tool = view.callable.get(name);
  if (tool === undefined) throw toolNotOffered(view, name);
  return {
    server: tool.server,
    upstreamName: tool.tool.upstream_name,
    arguments: tool.mapArguments === undefined ? args : tool.mapArguments(args),
  };
};

const files = sampleServer('files', 1);
const weather = sampleServer('weather', 2);
const asleep = sampleServer('asleep', 3, { enabled: false });

const readSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, root: { type: 'string' }, limit: { type: 'integer' } },
  required: ['path', 'root'],
};
const read = sampleTool(files, 'read', { input_schema: readSchema, annotations: { readOnlyHint: true } });
const write = sampleTool(files, 'write', { annotations: { readOnlyHint: false } });
const odd = sampleTool(files, 'odd', { enabled: false });
const changed = sampleTool(files, 'changed', {
  enabled: false,
  quarantine: { since: '2026-11-01T00:00:00.000Z', kind: 'instruction', accepted_hash: 'x', changes: [] },
});
const broken = sampleTool(files, 'broken', {
  enabled: false,
  grade: { status: 'INVALID', reasons: [{ rule: 'R', pointer: '', message: 'properties is a list' }] },
});
const forecast = sampleTool(weather, 'forecast', {
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' }, extra: { type: 'object' } },
    required: ['city'],
  },
});

const snapshot = {
  version: 1,
  entries: [
    { server: files, tools: [read, write, odd, changed, broken] },
    { server: weather, tools: [forecast] },
    { server: asleep, tools: [sampleTool(asleep, 'nap')] },
  ],
};

const entry = (server: typeof files, upstream_name: string, more: Partial<ToolsetEntry> = {}): ToolsetEntry => ({
  server_id: server.id,
  upstream_name,
  ...more,
});
const viewOf = (entries: readonly ToolsetEntry[], changes: Partial<Toolset> = {}) =>
  toolsetView(sampleToolset('mine', { entries: [...entries], ...changes }), snapshot);
const definitionIn = (view: ReturnType<typeof viewOf>, name: string) => view.callable.get(name)?.definition;

describe('toolsetView', () => {
  it('renames and describes tools as the entry says, and keeps the rest as the server sent it', () => {
    const view = viewOf([entry(files, 'read', { name: 'open', description: 'Opens.' }), entry(weather, 'forecast')]);
    expect(view.listed.map(({ name }) => name)).toEqual(['open', 'weather__forecast']);
    expect(definitionIn(view, 'open')).toEqual({
      name: 'open',
      description: 'Opens.',
      inputSchema: readSchema,
      annotations: { readOnlyHint: true },
    });
    expect(view.servers).toEqual([files, weather]);
    expect(view.tokens.saved).toBe(0);
  });

  it('hides arguments and fills in what is preset, whatever the model sends', () => {
    const view = viewOf([
      entry(files, 'read', { name: 'r', preset_arguments: { root: '/data' }, hidden_arguments: ['limit'] }),
    ]);
    expect(definitionIn(view, 'r')?.inputSchema).toEqual({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    });
    expect(toUpstreamCall(view, 'r', { path: 'a', root: '/etc', limit: 9 })).toEqual({
      server: files,
      upstreamName: 'read',
      arguments: { path: 'a', root: '/data' },
    });
  });

  it('leaves arguments of plain tools alone', () => {
    const view = viewOf([entry(files, 'read')]);
    const args = { anything: true };
    expect(toUpstreamCall(view, 'files__read', args).arguments).toBe(args);
  });

  it('does not offer a tool whose required argument nobody can send', () => {
    const view = viewOf([entry(files, 'read', { hidden_arguments: ['root'] })]);
    expect(view.listed).toEqual([]);
    expect(view.entries).toMatchObject([{ state: 'unfit', reason: expect.stringContaining('root') }]);
  });

  it('offers only what says that it reads when the toolset is read-only', () => {
    const view = viewOf([entry(files, 'read'), entry(files, 'write'), entry(weather, 'forecast')], { read_only: true });
    expect(view.entries.map(({ state }) => state)).toEqual(['offered', 'not_read_only', 'not_read_only']);
  });

  it('says of each entry what became of it', () => {
    const gone = sampleServer('gone', 9);
    const view = viewOf([
      entry(files, 'odd'),
      entry(files, 'changed'),
      entry(files, 'broken'),
      entry(files, 'never'),
      entry(asleep, 'nap'),
      entry(gone, 'x'),
    ]);
    expect(toolsetOffer(view).entries.map(({ state, reason }) => [state, reason])).toEqual([
      ['withheld', 'An operator disabled it.'],
      ['withheld', 'It changed and waits for approval.'],
      ['withheld', 'properties is a list'],
      ['missing', 'Its server does not offer it.'],
      ['withheld', 'The server "asleep" is disabled.'],
      ['missing', 'Its server is not registered.'],
    ]);
    expect(() => toUpstreamCall(view, 'odd', {})).toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }));
    expect(() => toUpstreamCall(view, 'nothing', {})).toThrow(expect.objectContaining({ code: 'TOOL_NOT_FOUND' }));
  });

  it('gives a chosen name to who chose it, in whichever order they stand', () => {
    const view = viewOf([entry(files, 'read'), entry(weather, 'forecast', { name: 'files__read' })]);
    expect(view.entries[1]).toMatchObject({ name: 'files__read' });
    expect(view.entries[0]?.name).toMatch(/^files__read_[0-9a-f]{8}$/u);
    expect(toUpstreamCall(view, 'files__read', {}).upstreamName).toBe('forecast');
  });
});

describe('a toolset that is bound to a provider', () => {
  const view = viewOf([entry(weather, 'forecast', { name: 'f', preset_arguments: { days: 3 } })], {
    provider: 'openai-strict',
  });

  it('shows schemas that the provider takes, and maps arguments back', () => {
    const schema = definitionIn(view, 'f')?.inputSchema;
    expect(schema).toMatchObject({ additionalProperties: false, required: ['city', 'extra'] });
    const sent = toUpstreamCall(view, 'f', { city: 'Oslo', extra: null });
    expect(sent.arguments).toEqual({ city: 'Oslo', days: 3 });
  });

  it.each([
    ['openai', 'ok', 'offered', { days: 3, extra: {} }],
    ['openai-strict', 'rewritten', 'offered', { days: 3, extra: {} }],
    ['openai-strict', 'lossy', 'offered', { days: 3 }],
  ] as const)('says what %s makes of each tool: %s', (provider, verdict, state, preset_arguments) => {
    const { entries } = viewOf([entry(weather, 'forecast', { preset_arguments })], { provider });
    expect(entries).toMatchObject([{ state, provider_verdict: verdict }]);
    expect(viewOf([entry(weather, 'forecast')]).entries[0]).not.toHaveProperty('provider_verdict');
  });

  it('says what each tool costs, and all of them', () => {
    const both = viewOf([entry(weather, 'forecast'), entry(files, 'read'), entry(files, 'odd')]);
    const [first = 0, second = 0, withheld] = both.entries.map(({ tokens }) => tokens);
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
    expect(withheld).toBeUndefined();
    expect(both.tokens).toEqual({ all: first + second, listed: first + second, saved: 0 });
  });

  it('sends nothing that the server would not take', () => {
    expect(() => toUpstreamCall(view, 'f', { city: 7, extra: null })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', message: expect.stringContaining('/city') }),
    );
    const wrongPreset = viewOf([entry(weather, 'forecast', { name: 'f', preset_arguments: { days: 'three' } })], {
      provider: 'openai-strict',
    });
    expect(() => toUpstreamCall(wrongPreset, 'f', { city: 'Oslo', extra: null })).toThrow(/days/u);
  });
});

describe('ToolsetEndpoints', () => {
  const setUp = () => {
    const { state, source } = changingCatalogue(snapshot.entries, [
      sampleToolset('mine', { entries: [entry(files, 'read')], description: 'Reads.' }),
    ]);
    return { state, scopes: new ToolsetEndpoints(source) };
  };

  it('keeps what it worked out until something of it changes', () => {
    const { state, scopes } = setUp();
    const scope = scopes.find('mine');
    expect(scope).toMatchObject({ id: 'toolset mine', kind: 'merged', offers: 'tools', instructions: 'Reads.' });
    const tools = scope?.tools();
    expect(tools?.map(({ name }) => name)).toEqual(['files__read']);
    state.version = 2;
    expect(scopes.find('mine')).toBe(scope);
    expect(scope?.tools()).toBe(tools);
    state.entries = state.entries.map((each) => ({ ...each, tools: [...each.tools] }));
    expect(scope?.tools()).not.toBe(tools);
    expect(scope?.servers()).toEqual([files]);
  });

  it('knows no toolset that is not there, or no longer', () => {
    const { state, scopes } = setUp();
    const scope = scopes.find('mine');
    expect(scopes.find('other')).toBeUndefined();
    expect(() => scope?.findTool('nothing')).toThrow(expect.objectContaining({ code: 'TOOL_NOT_FOUND' }));
    state.toolsets = [];
    expect(scopes.find('mine')).toBeUndefined();
    expect(scope?.tools()).toEqual([]);
    expect(() => scope?.findTool('files__read')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});
