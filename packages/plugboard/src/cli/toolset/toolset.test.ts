import { PlugboardError, type ToolsetView } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

const files = aServer({
  server_name: 'files',
  config: { mcp_server_type: 'stdio', command: 'npx', args: ['x'] },
});
const entry = { server_id: files.id, upstream_name: 'read', name: 'open' };
const toolset = (changes: Partial<ToolsetView> = {}): ToolsetView => ({
  id: 'toolset-00000000-0000-4000-8000-000000000001',
  name: 'mine',
  description: null,
  entries: [entry],
  read_only: false,
  provider: null,
  exposure: 'all',
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  mcp_path: '/toolsets/mine/mcp',
  offer: {
    entries: [{ server_id: files.id, upstream_name: 'read', state: 'offered', name: 'open' }],
    tokens: { all: 900, listed: 900, saved: 0 },
  },
  ...changes,
});

/** A change that depends on what was read is made to nothing else. */
const seen = { if_updated_at: toolset().updated_at };

const readSchema = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } } };
const hubWith = (one: ToolsetView = toolset()) => ({
  servers: [files],
  tools: { files: [{ name: 'read', schema: readSchema }, { name: 'write' }] },
  answers: { '/v1/toolsets': [one], [`/v1/toolsets/${one.id}`]: one },
});
const sent = async (argv: readonly string[], one?: ToolsetView) => {
  const { code, hub, stderr, stdout } = await runFake(['toolset', ...argv], hubWith(one));
  const change = hub.seen.find(({ method }) => method !== 'GET');
  return { code, stderr, stdout, change };
};

describe('toolset list and show', () => {
  it('shows names, tools, tokens and the endpoint', async () => {
    const { stdout } = await sent(['list']);
    expect(stdout).toMatch(/mine\s+1 tool\s+all\s+about 900\s+\/toolsets\/mine\/mcp/u);
    expect((await sent(['list', '--quiet'])).stdout.trim()).toBe('mine');
    const empty = await runFake(['toolset', 'list'], { answers: { '/v1/toolsets': [] } });
    expect(empty.stderr).toContain('toolset create');
  });

  it('shows preset and hidden arguments', async () => {
    const changed = { ...entry, preset_arguments: { limit: 3, unit: 'metric' }, hidden_arguments: ['debug'] };
    const { stdout } = await sent(['show', 'mine'], toolset({ entries: [changed] }));
    expect(stdout).toContain('limit=3, unit="metric", without debug');
  });

  it('says what searching saves, and why an entry is left out', async () => {
    const one = toolset({
      exposure: 'search',
      provider: 'gemini',
      offer: {
        entries: [{ server_id: files.id, upstream_name: 'read', state: 'withheld', reason: 'It waits.' }],
        tokens: { all: 1000, listed: 300, saved: 700 },
      },
    });
    const { stdout } = await sent(['show', 'mine'], one);
    expect(stdout).toContain('about 300 instead of 1000, 70 % less');
    expect(stdout).toMatch(/files\s+read\s+withheld\s+It waits\./u);
    expect(stdout).toContain('0 of 1 tool');
    const dear = toolset({
      exposure: 'search',
      offer: { entries: [], tokens: { all: 100, listed: 300, saved: -200 } },
    });
    expect((await sent(['show', 'mine'], dear)).stdout).toContain('costs more than it saves');
    const { offer: _none, ...unserved } = toolset();
    expect((await sent(['show', 'mine'], unserved)).stdout).toContain('1 tool');
  });

  it('names the nearest when there is none of that name', async () => {
    const { code, stderr } = await sent(['show', 'mime']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "mine"?');
  });

  it('prints the toolset for programs', async () => {
    const run = await runFake(['toolset', 'show', 'mine', '--json'], hubWith());
    expect(run.json()).toEqual(toolset());
  });
});

describe('toolset create, set and remove', () => {
  it('sends what was named', async () => {
    const made = await runFake(
      [
        'toolset',
        'create',
        'mine',
        '--read-only',
        '--provider',
        'gemini',
        '--exposure',
        'search',
        '--description',
        'd',
      ],
      { servers: [files], answers: { '/v1/toolsets': toolset() } },
    );
    expect(made.hub.seen[0]).toMatchObject({
      method: 'POST',
      body: { name: 'mine', read_only: true, provider: 'gemini', exposure: 'search', description: 'd' },
    });
    expect(made.stderr).toContain('toolset add mine');
  });

  it.each([
    [['--no-provider'], { provider: null }],
    [['--provider', 'openai'], { provider: 'openai' }],
    [['--no-read-only'], { read_only: false }],
    [['--read-only'], { read_only: true }],
    [['--no-description'], { description: null }],
    [['--description', 'x'], { description: 'x' }],
    [['--name', 'other', '--exposure', 'search'], { name: 'other', exposure: 'search' }],
  ])('changes only what %j names', async (argv, body) => {
    const { code, change } = await sent(['set', 'mine', ...argv]);
    expect(code).toBe(0);
    expect(change).toMatchObject({ method: 'PATCH', path: `/v1/toolsets/${toolset().id}` });
    expect(change?.body).toEqual(body);
  });

  it('refuses to change nothing, and an exposure that does not exist', async () => {
    expect((await sent(['set', 'mine'])).code).toBe(2);
    expect((await sent(['set', 'mine', '--exposure', 'some'])).code).toBe(2);
  });

  it('removes only when all were found', async () => {
    expect((await sent(['remove', 'mine', 'nobody'])).change).toBeUndefined();
    const { change, stdout } = await sent(['remove', 'mine']);
    expect(change).toMatchObject({ method: 'DELETE' });
    expect(stdout).toContain('Removed');
  });
});

describe('toolset add and drop', () => {
  it('adds all tools of a server, and keeps what is there as it is', async () => {
    const { change } = await sent(['add', 'mine', 'files']);
    expect(change?.body).toEqual({
      ...seen,
      entries: [entry, { server_id: files.id, upstream_name: 'write' }],
    });
    expect((await sent(['add', 'mine', 'files', 'read'])).change?.body).toEqual({
      ...seen,
      entries: [{ server_id: files.id, upstream_name: 'read' }],
    });
  });

  it('offers a tool as it is told', async () => {
    const { change } = await sent([
      'add',
      'mine',
      'files',
      'read',
      '--as',
      'peek',
      '--describe',
      'Looks.',
      '--preset',
      'limit=3',
      '--hide',
      'path',
    ]);
    expect(change?.body).toEqual({
      ...seen,
      entries: [
        {
          server_id: files.id,
          upstream_name: 'read',
          name: 'peek',
          description: 'Looks.',
          preset_arguments: { limit: 3 },
          hidden_arguments: ['path'],
        },
      ],
    });
  });

  it('refuses one name for several tools, and tools that are not there', async () => {
    expect(await sent(['add', 'mine', 'files', 'read', 'write', '--as', 'x'])).toMatchObject({
      code: 2,
      change: undefined,
    });
    expect(await sent(['add', 'mine', 'files', 'raed'])).toMatchObject({ code: 2, change: undefined });
  });

  it('drops by either name, and says when there is nothing to drop', async () => {
    expect((await sent(['drop', 'mine', 'files', 'open'])).change?.body).toEqual({ ...seen, entries: [] });
    expect((await sent(['drop', 'mine', files.id])).change?.body).toEqual({ ...seen, entries: [] });
    expect(await sent(['drop', 'mine', 'files', 'write'])).toMatchObject({ code: 2, change: undefined });
  });

  it('adds to what somebody else has changed meanwhile', async () => {
    const other = { server_id: files.id, upstream_name: 'other' };
    const later = toolset({ entries: [entry, other], updated_at: '2026-11-01T00:00:00.007Z' });
    let lists = 0;
    const { code, hub } = await runFake(['toolset', 'add', 'mine', 'files', 'write'], {
      ...hubWith(),
      answers: {
        '/v1/toolsets': () => [(lists += 1) > 2 ? later : toolset()],
        [`/v1/toolsets/${later.id}`]: (_method: string, _url: URL, body: { readonly if_updated_at?: string }) => {
          if (body.if_updated_at === later.updated_at) return later;
          throw new PlugboardError('CONFLICT', 'Changed.', { details: { updated_at: later.updated_at } });
        },
      },
    });
    expect(code).toBe(0);
    expect(hub.seen.findLast(({ method }) => method === 'PATCH')?.body).toEqual({
      if_updated_at: later.updated_at,
      entries: [entry, other, { server_id: files.id, upstream_name: 'write' }],
    });
  });
});
