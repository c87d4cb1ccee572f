import { deferred } from '@plugboard/base';
import { PlugboardError, revealConfig, server as serverShape, tool as toolShape } from '@plugboard/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { httpServer, registryFixture, stdioServer, type RegistryFixture } from './test-support/registry-fixture.js';
import { definition } from './test-support/scripted-reach.js';

const refused = (): PlugboardError => new PlugboardError('UPSTREAM_REFUSED', 'Nobody listens there.');

/** Far longer than it ever takes: only a failure waits so long. */
const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000, interval: 5 });

let fixture: RegistryFixture;

beforeEach(async () => {
  fixture = await registryFixture();
});
afterEach(() => fixture[Symbol.asyncDispose]());

const names = (tools: readonly { readonly upstream_name: string }[]): string[] =>
  tools.map((tool) => tool.upstream_name);

describe('registerServer', () => {
  it('stores the server, syncs it, and hands both back in their contract shapes', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('b'), definition('a')];
    reach.negotiated = {
      era: 'modern',
      revision: '2026-07-28',
      transport: 'streamable_http',
      checked_at: '2026-01-01T00:00:00.000Z',
    };
    const { server, sync } = await registry.registerServer(httpServer('weather'));
    const shown = { ...server, config: revealConfig(server.config) };
    expect(serverShape.parse(shown)).toEqual(shown);
    expect(sync).toMatchObject({ status: 'ok', added: ['b', 'a'], total: 2, dry_run: false });
    expect(server.last_sync).toEqual(sync);
    expect(server.protocol).toEqual(reach.negotiated);
    const tools = await registry.listTools({ serverId: server.id });
    expect(tools.map((tool) => toolShape.parse(tool))).toEqual(tools);
    expect(tools[0]).toMatchObject({
      upstream_name: 'b',
      name: 'weather__b',
      tool_type: 'external_mcp',
      tags: ['mcp:weather'],
      metadata: { mcp: { server_id: server.id, server_name: 'weather' } },
      enabled: true,
    });
    expect(registry.status(server.id)).toEqual({ state: 'ready', at: sync.at });
  });

  it('succeeds although the server is down, and says what is wrong', async () => {
    const { registry, reach, lines } = fixture;
    reach.list = () => Promise.reject(refused());
    const { server, sync } = await registry.registerServer(httpServer('down'));
    expect(sync).toMatchObject({ status: 'failed', error: { code: 'UPSTREAM_REFUSED' }, added: [] });
    expect(await registry.getServer(server.id)).toEqual(server);
    expect(registry.status(server.id)).toMatchObject({ state: 'failing', error: { code: 'UPSTREAM_REFUSED' } });
    expect(lines).toEqual([expect.objectContaining({ level: 'warn' })]);
  });

  it('logs what will not pass by itself as an error, and an unknown fault without its text', async () => {
    const { registry, reach, lines } = fixture;
    reach.list = () => Promise.reject(new Error('password=hunter2'));
    const { sync } = await registry.registerServer(httpServer('odd'));
    expect(sync.error).toMatchObject({ code: 'INTERNAL' });
    expect(lines).toEqual([expect.objectContaining({ level: 'error' })]);
    expect(JSON.stringify([sync, lines])).not.toContain('hunter2');
  });

  it('does not wait for a server that hangs and heeds no signal', async () => {
    const { reopen, reach } = fixture;
    const registry = await reopen({ registerDeadlineMs: 30 });
    reach.list = () => new Promise(() => undefined);
    const { server, sync } = await registry.registerServer(httpServer('hanging'));
    expect(sync).toMatchObject({ status: 'failed', error: { code: 'UPSTREAM_TIMEOUT' } });
    expect((await registry.getServer(server.id)).last_sync).toEqual(sync);
  });

  it('reads the list of a slow server behind the registration that did not wait for it', async () => {
    const { reopen, reach } = fixture;
    const registry = await reopen({ registerDeadlineMs: 30 });
    const answer = reach.list;
    let asked = 0;
    reach.list = (...given) => {
      asked += 1;
      return asked === 1 ? new Promise(() => undefined) : answer(...given);
    };
    const { server, sync } = await registry.registerServer(httpServer('slow'));
    expect(sync).toMatchObject({ status: 'failed', error: { code: 'UPSTREAM_TIMEOUT' } });
    await expect.poll(async () => (await registry.getServer(server.id)).last_sync?.status).toBe('ok');
  });

  it('keeps the server when the caller leaves during the first sync', async () => {
    const { registry, reach } = fixture;
    const leaving = new AbortController();
    reach.list = () => {
      leaving.abort();
      return new Promise(() => undefined);
    };
    const { sync } = await registry.registerServer(httpServer('left'), { signal: leaving.signal });
    expect(sync).toMatchObject({ status: 'failed', error: { code: 'CANCELLED' } });
    expect(await registry.findServerByName('left')).toBeDefined();
    const late = registry.registerServer(httpServer('late'), { signal: leaving.signal });
    await expect(late).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await registry.findServerByName('late')).toBeUndefined();
  });

  it('refuses a name that is taken', async () => {
    const { registry } = fixture;
    const { server } = await registry.registerServer(httpServer('one'));
    const again = registry.registerServer(httpServer('one'));
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT', details: { server_id: server.id } });
    expect(await registry.listServers()).toHaveLength(1);
  });

  it('refuses stdio where processes must not be started, also for servers of before', async () => {
    const { registry, reopen } = fixture;
    const { server } = await registry.registerServer(stdioServer('files'));
    const strict = await reopen({ stdioAllowed: false });
    await expect(strict.registerServer(stdioServer('more'))).rejects.toMatchObject({ code: 'STDIO_DISABLED' });
    await expect(strict.tryConfig(stdioServer('more'))).rejects.toMatchObject({ code: 'STDIO_DISABLED' });
    await expect(strict.listLiveTools(server.id)).rejects.toMatchObject({ code: 'STDIO_DISABLED' });
    expect(await strict.syncServer(server.id)).toMatchObject({ status: 'failed', error: { code: 'STDIO_DISABLED' } });
  });

  it('refuses masks, which stand for nothing yet', async () => {
    const { registry } = fixture;
    const masked = registry.registerServer(httpServer('one', { auth_token: '••••1234' }));
    await expect(masked).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

describe('syncServer', () => {
  const register = async () => (await fixture.registry.registerServer(httpServer('one'))).server;

  it('adds, updates and deletes by the names of the server, and keeps ids', async () => {
    const { registry, reach, clock } = fixture;
    reach.list = async () => [definition('same'), definition('changed'), definition('gone')];
    const { id } = await register();
    const before = new Map((await registry.listTools({ serverId: id })).map((tool) => [tool.upstream_name, tool]));
    clock.ms += 1000;
    reach.list = async () => [definition('new'), definition('changed', 'otherwise'), definition('same')];
    expect(await registry.syncServer(id)).toMatchObject({
      status: 'ok',
      added: ['new'],
      updated: ['changed'],
      deleted: ['gone'],
      total: 3,
    });
    const after = await registry.listTools({ serverId: id });
    expect(names(after)).toEqual(['new', 'changed', 'same']);
    expect(after[2]).toEqual(before.get('same'));
    expect(after[1]).toMatchObject({
      id: before.get('changed')?.id,
      created_at: before.get('changed')?.created_at,
      updated_at: '2026-01-01T00:00:01.000Z',
      description: 'otherwise',
    });
  });

  it('knows invalid tools but does not offer them, until they are repaired', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('good'), { name: 'bad', inputSchema: true }];
    const { id } = await register();
    expect((await registry.getServer(id)).last_sync).toMatchObject({
      status: 'ok',
      added: ['good', 'bad'],
      skipped: [{ name: 'bad', reasons: [expect.objectContaining({ message: expect.any(String) })] }],
    });
    const bad = (await registry.listTools({ serverId: id }))[1];
    expect(bad).toMatchObject({ enabled: false, grade: { status: 'INVALID' } });
    const forced = registry.updateTool(id, bad?.id ?? '', { enabled: true });
    await expect(forced).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    reach.list = async () => [definition('good'), definition('bad')];
    expect(await registry.syncServer(id)).toMatchObject({ updated: ['bad'], skipped: [] });
    expect((await registry.getTool(id, bad?.id ?? '')).enabled).toBe(true);
  });

  it('changes nothing when the list cannot be read', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('a')];
    const { id } = await register();
    const before = await registry.listTools();
    reach.list = () => Promise.reject(refused());
    expect(await registry.syncServer(id)).toMatchObject({ status: 'failed', deleted: [] });
    expect(await registry.listTools()).toEqual(before);
    expect((await registry.getServer(id)).last_sync?.status).toBe('failed');
  });

  it('stores what can be stored and names what cannot', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [
      definition('a'),
      definition('a', 'again'),
      definition('nul\u0000'),
      definition('long'.repeat(200)),
      { name: '' },
      definition('b'),
    ];
    const { id } = await register();
    const { last_sync } = await registry.getServer(id);
    expect(last_sync).toMatchObject({ status: 'partial', added: ['a', 'b'], total: 6 });
    expect(last_sync?.failed.map((tool) => tool.error.code)).toEqual(Array(4).fill('UPSTREAM_PROTOCOL'));
    expect((await registry.listTools())[0]?.description).toBe('Does a');
  });

  it('keeps a stored tool whose new definition cannot be stored', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('a')];
    const { id } = await register();
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    reach.list = async () => [{ name: 'a', inputSchema: circular }];
    expect(await registry.syncServer(id)).toMatchObject({ status: 'partial', deleted: [], failed: [{ name: 'a' }] });
    expect(names(await registry.listTools())).toEqual(['a']);
  });

  it('reports and leaves everything alone in a dry run', async () => {
    const { registry, reach, store } = fixture;
    reach.list = async () => [definition('a')];
    const { id } = await register();
    const version = await store.version();
    reach.list = async () => [definition('b')];
    expect(await registry.syncServer(id, { dryRun: true })).toMatchObject({
      status: 'ok',
      added: ['b'],
      deleted: ['a'],
      dry_run: true,
    });
    reach.list = () => Promise.reject(refused());
    expect(await registry.syncServer(id, { dryRun: true })).toMatchObject({ status: 'failed', dry_run: true });
    expect(names(await registry.listTools())).toEqual(['a']);
    expect((await registry.getServer(id)).last_sync?.dry_run).toBe(false);
    expect(await store.version()).toBe(version);
    expect(await store.interruptedSyncs()).toEqual([]);
  });

  it('asks the server once for callers that come together', async () => {
    const { registry, reach } = fixture;
    const { id } = await register();
    const list = deferred<readonly ReturnType<typeof definition>[]>();
    reach.list = () => list.promise;
    reach.listed.length = 0;
    const reports = Promise.all([registry.syncServer(id), registry.syncServer(id), registry.syncServer(id)]);
    await eventually(() => expect(reach.listed).toHaveLength(1));
    list.resolve([definition('a')]);
    const [first, ...others] = await reports;
    expect(first).toMatchObject({ added: ['a'] });
    expect(others).toEqual([first, first]);
    expect(reach.listed).toHaveLength(1);
  });

  it('goes on when one of two callers leaves, and stops when both did', async () => {
    const { registry, reach } = fixture;
    const { id } = await register();
    const list = deferred<readonly ReturnType<typeof definition>[]>();
    const signals: AbortSignal[] = [];
    reach.list = (_server, { signal }) => {
      if (signal !== undefined) signals.push(signal);
      return list.promise;
    };
    const [one, two] = [new AbortController(), new AbortController()];
    const first = registry.syncServer(id, { signal: one.signal });
    const second = registry.syncServer(id, { signal: two.signal });
    const failures = Promise.allSettled([first, second]);
    await eventually(() => expect(signals).toHaveLength(1));
    one.abort();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(signals[0]?.aborted).toBe(false);
    two.abort();
    await failures;
    expect(signals[0]?.aborted).toBe(true);
  });

  it('asks again when the config changed while the old one was used', async () => {
    const { registry, reach } = fixture;
    const { id } = await register();
    const first = deferred<readonly ReturnType<typeof definition>[]>();
    reach.list = () => first.promise;
    const sync = registry.syncServer(id);
    await eventually(() => expect(reach.listed.length).toBeGreaterThan(1));
    reach.list = async (server) => [definition(server.config.mcp_server_type === 'stdio' ? 'x' : 'fresh')];
    await registry.updateServer(id, {
      config: { mcp_server_type: 'streamable_http', server_url: 'https://other.example/mcp' },
    });
    first.resolve([definition('stale')]);
    expect(await sync).toMatchObject({ added: ['fresh'] });
    expect(names(await registry.listTools())).toEqual(['fresh']);
  });

  it('fails for a server that is not there, or was deleted meanwhile', async () => {
    const { registry, reach } = fixture;
    await expect(registry.syncServer('mcp_server-none')).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
    const { id } = await register();
    reach.list = () => new Promise(() => undefined);
    const sync = registry.syncServer(id).catch((thrown: unknown) => thrown);
    await eventually(() => expect(reach.listed.length).toBeGreaterThan(1));
    await registry.deleteServer(id);
    expect(await sync).toMatchObject({ code: 'CANCELLED' });
  });
});

describe('list_changed', () => {
  it('leads to a sync, after the one that is under way', async () => {
    const { registry, reach } = fixture;
    const { server } = await registry.registerServer(httpServer('one'));
    reach.list = async () => [definition('late')];
    reach.announce(server.id);
    reach.announce(server.id);
    await eventually(async () => expect(names(registry.snapshot().entries[0]?.tools ?? [])).toEqual(['late']));
    expect(reach.listed).toHaveLength(2);
  });

  it('leads to none when the server is left to rest', async () => {
    const { registry, reach } = fixture;
    const { server } = await registry.registerServer(httpServer('one'));
    const { server: other } = await registry.registerServer(httpServer('two'));
    const before = reach.listed.length;
    reach.announce(server.id);
    await registry.restServer(server.id);
    expect(reach.released).toContain(server.id);
    reach.announce(other.id);
    await eventually(() => expect(reach.listed).toHaveLength(before + 1));
    expect(reach.listed.at(-1)?.id).toBe(other.id);
  });

  it('is ignored for servers that are switched off or unknown', async () => {
    const { registry, reach } = fixture;
    const { server } = await registry.registerServer(httpServer('one'));
    const { server: other } = await registry.registerServer(httpServer('two'));
    await registry.updateServer(server.id, { enabled: false });
    const before = reach.listed.length;
    reach.announce(server.id);
    reach.announce('mcp_server-00000000-0000-4000-8000-000000000000');
    reach.announce(other.id);
    await eventually(() => expect(reach.listed).toHaveLength(before + 1));
    expect(reach.listed.at(-1)?.id).toBe(other.id);
  });
});

describe('updateServer', () => {
  it('renames: tools keep their ids and get the new tag, metadata and model-facing names', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('a')];
    const { server } = await registry.registerServer(httpServer('old'));
    const [before] = await registry.listTools();
    const renamed = await registry.updateServer(server.id, { server_name: 'new' });
    const [after] = await registry.listTools();
    expect(renamed.server_name).toBe('new');
    expect(after).toEqual({
      ...before,
      name: 'new__a',
      tags: ['mcp:new'],
      metadata: { mcp: { server_id: server.id, server_name: 'new' } },
    });
    await registry.callTool(server.id, after?.id ?? 'tool-x', {});
    expect(reach.calls).toEqual([{ name: 'a', arguments: {} }]);
  });

  it('refuses a name that is taken and harms neither server', async () => {
    const { registry } = fixture;
    const { server: one } = await registry.registerServer(httpServer('one'));
    const { server: two } = await registry.registerServer(httpServer('two'));
    const clash = registry.updateServer(two.id, { server_name: 'one' });
    await expect(clash).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await registry.listServers()).toEqual([one, two]);
  });

  it('lets go of old connections and asks anew when the config changed', async () => {
    const { registry, reach } = fixture;
    const { server } = await registry.registerServer(httpServer('one', { auth_token: 'a-long-secret' }));
    reach.list = async () => [definition('a')];
    const updated = await registry.updateServer(server.id, {
      config: { mcp_server_type: 'streamable_http', auth_token: 'Bearer another-secret' },
    });
    expect(revealConfig(updated.config)).toMatchObject({
      auth_token: 'another-secret',
      server_url: 'https://tools.example/mcp',
    });
    expect(reach.released).toEqual([server.id]);
    await eventually(() => expect(names(registry.snapshot().entries[0]?.tools ?? [])).toEqual(['a']));
  });

  it('does nothing at all when nothing changes', async () => {
    const { registry, reach, store } = fixture;
    const { server } = await registry.registerServer(httpServer('one', { auth_token: 'a-long-secret' }));
    const version = await store.version();
    const same = await registry.updateServer(server.id, {
      server_name: null,
      enabled: true,
      config: { mcp_server_type: 'streamable_http', auth_token: '••••cret', server_url: null },
    });
    expect(same).toEqual(server);
    expect(await store.version()).toBe(version);
    expect(reach.released).toEqual([]);
  });

  it('switches off: connections are closed and calls refused', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('a')];
    const { server } = await registry.registerServer(httpServer('one'));
    await registry.updateServer(server.id, { enabled: false });
    const [tool] = await registry.listTools();
    expect(reach.released).toEqual([server.id]);
    const call = registry.callTool(server.id, tool?.id ?? 'tool-x', {});
    await expect(call).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    const listed = reach.listed.length;
    await registry.updateServer(server.id, { enabled: true });
    await eventually(() => expect(reach.listed).toHaveLength(listed + 1));
  });

  it('is stored although the connections cannot be closed', async () => {
    const { registry, reach, lines } = fixture;
    const { server } = await registry.registerServer(httpServer('one'));
    reach.release = () => Promise.reject(new Error('no'));
    expect(await registry.updateServer(server.id, { enabled: false })).toMatchObject({ enabled: false });
    expect(lines.at(-1)).toMatchObject({ level: 'warn', fields: { server: 'one' } });
  });

  it('does not find what is not there', async () => {
    const update = fixture.registry.updateServer('mcp_server-none', { enabled: false });
    await expect(update).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
  });
});

describe('deleteServer', () => {
  it('takes the server and its tools, and nothing else', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('a')];
    const { server: one } = await registry.registerServer(httpServer('one'));
    const { server: two } = await registry.registerServer(httpServer('two'));
    await registry.deleteServer(one.id);
    expect(await registry.listServers()).toEqual([two]);
    expect((await registry.listTools()).map((tool) => tool.server_id)).toEqual([two.id]);
    expect(reach.released).toEqual([one.id]);
    expect(registry.status(one.id)).toEqual({ state: 'unknown' });
    await expect(registry.deleteServer(one.id)).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
    await expect(registry.getServer(one.id)).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
  });
});

describe('reading', () => {
  it('pages through servers and tools in a fixed order', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('z'), definition('a')];
    for (const name of ['c', 'a', 'b']) await registry.registerServer(httpServer(name));
    const first = await registry.listServers({ limit: 2 });
    const second = await registry.listServers({ limit: 2, after: first[1]?.id });
    expect([...first, ...second].map((server) => server.server_name)).toEqual(['a', 'b', 'c']);
    const tools = await registry.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(['a__z', 'a__a', 'b__z', 'b__a', 'c__z', 'c__a']);
    expect(await registry.listTools({}, { after: tools[3]?.id, limit: 10 })).toEqual(tools.slice(4));
    await expect(registry.listServers({ after: 'gone' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(registry.listTools({ serverId: 'none' })).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
  });

  it('finds a tool only under its own server', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('a')];
    const { server: one } = await registry.registerServer(httpServer('one'));
    const { server: two } = await registry.registerServer(httpServer('two'));
    const [tool] = await registry.listTools({ serverId: one.id });
    expect(await registry.getTool(one.id, tool?.id ?? '')).toEqual(tool);
    const missing = { code: 'TOOL_NOT_FOUND' };
    await expect(registry.getTool(two.id, tool?.id ?? '')).rejects.toMatchObject(missing);
    await expect(registry.updateTool(two.id, tool?.id ?? '', {})).rejects.toMatchObject(missing);
    await expect(registry.callTool(two.id, tool?.id ?? 'tool-x', {})).rejects.toMatchObject(missing);
    await expect(registry.updateTool('none', tool?.id ?? '', {})).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
  });

  it('asks servers that are registered, and servers that are only tried', async () => {
    const { registry, reach } = fixture;
    reach.list = async (server) => [definition(server.server_name)];
    const { server } = await registry.registerServer(httpServer('one'));
    expect(await registry.listLiveTools(server.id)).toEqual([definition('one')]);
    expect(await registry.tryConfig(stdioServer('trial'))).toEqual([definition('trial')]);
    expect(reach.released).toEqual([reach.listed.at(-1)?.id]);
    expect(await registry.listServers()).toHaveLength(1);
    reach.list = () => Promise.reject(refused());
    await expect(registry.tryConfig(stdioServer('trial'))).rejects.toMatchObject({ code: 'UPSTREAM_REFUSED' });
    expect(reach.released).toHaveLength(2);
  });
});

describe('updateTool', () => {
  it('switches off and tags; a sync changes neither', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('a')];
    const { server } = await registry.registerServer(httpServer('one'));
    const [tool] = await registry.listTools();
    const update = { enabled: false, tags: ['x', 'mcp:forged', 'x', 'mcp:one'] };
    const changed = await registry.updateTool(server.id, tool?.id ?? '', update);
    expect(changed).toMatchObject({ enabled: false, tags: ['mcp:one', 'x'] });
    reach.list = async () => [definition('a', 'changed')];
    await registry.syncServer(server.id);
    expect(await registry.getTool(server.id, changed.id)).toMatchObject({
      enabled: false,
      tags: ['mcp:one', 'x'],
      description: 'changed',
    });
    await registry.approveTool(server.id, changed.id);
    expect(await registry.updateTool(server.id, changed.id, { enabled: true })).toMatchObject({ enabled: true });
  });
});

describe('callTool', () => {
  it('relays the result and remembers how the server was found', async () => {
    const { registry, reach, clock } = fixture;
    reach.list = async () => [definition('a')];
    const { server } = await registry.registerServer(httpServer('one'));
    const [tool] = await registry.listTools();
    const id = tool?.id ?? 'tool-x';
    reach.call = async () => ({ content: [{ type: 'text', text: 'hi' }], extra: 1 });
    expect(await registry.callTool(server.id, id, { text: 'x' })).toEqual({
      content: [{ type: 'text', text: 'hi' }],
      extra: 1,
    });
    clock.ms += 5;
    reach.call = () => Promise.reject(refused());
    await expect(registry.callTool(server.id, id, {})).rejects.toMatchObject({ code: 'UPSTREAM_REFUSED' });
    expect(registry.status(server.id)).toMatchObject({ state: 'failing' });
    reach.call = async () => ({ content: [] });
    await registry.callTool(server.id, id, {});
    expect(registry.status(server.id)).toMatchObject({ state: 'ready' });
    reach.call = () => Promise.reject(new PlugboardError('UPSTREAM_PROTOCOL', 'Bad arguments.'));
    await expect(registry.callTool(server.id, id, {})).rejects.toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
    expect(registry.status(server.id)).toMatchObject({ state: 'ready' });
    await expect(registry.callTool('none', id, {})).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
  });
});

describe('the snapshot', () => {
  it('is there at once after a start, and the same', async () => {
    const { registry, reach, reopen } = fixture;
    reach.list = async () => [definition('a')];
    await registry.registerServer(httpServer('two'));
    await registry.registerServer(httpServer('one'));
    reach.list = () => new Promise(() => undefined);
    const other = await reopen({ syncOnStart: 'all' });
    expect(other.snapshot()).toEqual(registry.snapshot());
    expect(other.snapshot().entries.map(({ server }) => server.server_name)).toEqual(['one', 'two']);
  });

  it('announces what changed for readers, once, and not what did not', async () => {
    const { registry, reach } = fixture;
    const seen: number[] = [];
    const stop = registry.onChange((snapshot) => seen.push(snapshot.version));
    reach.list = async () => [definition('a')];
    const { server } = await registry.registerServer(httpServer('one'));
    expect(seen).toHaveLength(2);
    expect(seen[1]).toBeGreaterThan(seen[0] ?? 0);
    const [entry] = registry.snapshot().entries;
    await registry.syncServer(server.id);
    expect(seen).toHaveLength(2);
    expect(registry.snapshot().entries[0]?.tools).toBe(entry?.tools);
    await registry.deleteServer(server.id);
    expect(seen).toHaveLength(3);
    stop();
    await registry.registerServer(httpServer('two'));
    expect(seen).toHaveLength(3);
  });

  it('survives a listener that fails', async () => {
    const { registry, lines } = fixture;
    registry.onChange(() => {
      throw new Error('mine');
    });
    await registry.registerServer(httpServer('one'));
    expect(lines.filter((line) => line.level === 'error')).not.toEqual([]);
  });

  it('gives equal names of two servers different model-facing names', async () => {
    const { registry, reach } = fixture;
    reach.list = async () => [definition('run')];
    for (const name of ['a b', 'a.b', 'a-b']) await registry.registerServer(httpServer(name));
    const tools = await registry.listTools();
    expect(new Set(tools.map((tool) => tool.name)).size).toBe(3);
    expect(tools.every((tool) => /^[\w-]{1,64}$/u.test(tool.name))).toBe(true);
  });

  it('follows what another process writes', async () => {
    const { registry, reopen, reach } = fixture;
    reach.list = async () => [definition('a')];
    const other = await reopen({ pollMs: 5 });
    const { server } = await registry.registerServer(httpServer('one'));
    await eventually(() => expect(other.snapshot()).toEqual(registry.snapshot()));
    expect(await other.getServer(server.id)).toEqual(server);
    await other.deleteServer(server.id);
    expect(await registry.listServers()).toEqual([]);
  });
});

describe('secrets', () => {
  it('that cannot be opened stop this server only, and can be entered again', async () => {
    const { registry, reopen, openStore, reach } = fixture;
    reach.list = async () => [definition('a')];
    const { server } = await registry.registerServer(httpServer('locked', { auth_token: 'a-long-secret' }));
    await registry.registerServer(httpServer('open'));
    const other = await reopen({ store: await openStore(2) });
    const unreadable = { code: 'SECRET_UNREADABLE' };
    expect(other.status(server.id)).toMatchObject({ state: 'failing', error: unreadable });
    expect(other.snapshot().entries.map((entry) => entry.server.enabled)).toEqual([false, true]);
    expect(await other.syncServer(server.id)).toMatchObject({ status: 'failed', error: unreadable });
    const [tool] = await other.listTools({ serverId: server.id });
    await expect(other.callTool(server.id, tool?.id ?? 'tool-x', {})).rejects.toMatchObject(unreadable);
    const half = { mcp_server_type: 'streamable_http', auth_token: 'new-long-secret' } as const;
    await expect(other.updateServer(server.id, { config: half })).rejects.toMatchObject(unreadable);
    const whole = { ...half, custom_headers: null };
    const { config } = await other.updateServer(server.id, { config: whole });
    expect(revealConfig(config)).toMatchObject({ auth_token: 'new-long-secret' });
    await eventually(() => expect(other.status(server.id)).toMatchObject({ state: 'ready' }));
  });

  it('never reach the log', async () => {
    const { registry, reach, lines } = fixture;
    reach.list = () => Promise.reject(refused());
    const secrets = { auth_token: 'SECRET-token', custom_headers: { 'X-Key': 'SECRET-header' } };
    await registry.registerServer(httpServer('one', secrets));
    await registry.registerServer(stdioServer('two', { env: { KEY: 'SECRET-env' } }));
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain('SECRET');
  });
});

describe('a start', () => {
  it('syncs again what a crash interrupted, and only that', async () => {
    const { registry, reach, store, reopen } = fixture;
    reach.list = async () => [definition('a')];
    const { server } = await registry.registerServer(httpServer('interrupted'));
    await registry.registerServer(httpServer('finished'));
    await store.transaction((tx) => tx.markSync(server.id, server.created_at));
    reach.listed.length = 0;
    reach.list = async () => [definition('b')];
    const healed = await reopen();
    await eventually(async () => expect(await store.interruptedSyncs()).toEqual([]));
    expect(reach.listed.map((each) => each.server_name)).toEqual(['interrupted']);
    expect(names(await healed.listTools({ serverId: server.id }))).toEqual(['b']);
  });

  it('syncs servers that were registered and never asked, unless told not to', async () => {
    const { registry, reach, reopen } = fixture;
    reach.list = () => new Promise(() => undefined);
    registry.registerServer(httpServer('new')).catch(() => undefined);
    await eventually(() => expect(reach.listed).toHaveLength(1));
    await registry.close();
    await (await reopen({ syncOnStart: 'none' })).close();
    expect(reach.listed).toHaveLength(1);
    reach.list = async () => [definition('a')];
    const later = await reopen();
    await eventually(() => expect(later.snapshot().entries[0]?.tools).toHaveLength(1));
  });

  it('waits for no server, and a background failure is only logged', async () => {
    const { registry, reach, reopen, lines } = fixture;
    for (let index = 0; index < 6; index += 1) await registry.registerServer(httpServer(`s${index}`));
    reach.list = (server) => (server.server_name === 's0' ? Promise.reject(refused()) : new Promise(() => undefined));
    const other = await reopen({ syncOnStart: 'all', syncDeadlineMs: 60_000 });
    expect(other.snapshot().entries).toHaveLength(6);
    await eventually(() => expect(lines.at(-1)).toMatchObject({ level: 'warn', fields: { code: 'UPSTREAM_REFUSED' } }));
    await other.close();
  });
});

describe('close', () => {
  it('ends what is under way, lets go of everything, and can be called twice', async () => {
    const { registry, reach } = fixture;
    const { server } = await registry.registerServer(httpServer('one'));
    reach.list = () => new Promise(() => undefined);
    const sync = registry.syncServer(server.id).catch((thrown: unknown) => thrown);
    await eventually(() => expect(reach.listed).toHaveLength(2));
    await Promise.all([registry.close(), registry.close()]);
    expect(await sync).toMatchObject({ code: 'CANCELLED' });
    expect(reach.listenerCount).toBe(0);
    await expect(registry.listServers()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
