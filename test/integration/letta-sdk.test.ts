import { Letta } from '@letta-ai/letta-client';
import { fakeServer, fakeServerCommand, lettaMockServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRealHub, type RealHub } from '../support/real-hub.js';

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } });

const TOKEN = 'a-token-of-some-length-4321';

describe('Letta’s own SDK', () => {
  let hub: RealHub;
  let letta: Letta;
  let mock: FakeServer;
  let httpUrl: string;
  let sseUrl: string;

  beforeAll(async () => {
    hub = await startRealHub();
    letta = new Letta({ baseURL: hub.url, apiKey: hub.key, maxRetries: 0 });
    mock = lettaMockServer();
    httpUrl = (await mock.listenHttp()).url;
    sseUrl = (await mock.listenSse()).url;
  });
  afterAll(async () => {
    await hub.close();
    await mock.close();
  });

  const configs = {
    stdio: () => {
      const { command, args } = fakeServerCommand({ fixture: 'letta-mock' });
      return { mcp_server_type: 'stdio' as const, command, args: [...args], env: { MODE: 'a-secret-value-8765' } };
    },
    sse: () => ({ mcp_server_type: 'sse' as const, server_url: sseUrl }),
    streamable_http: () => ({
      mcp_server_type: 'streamable_http' as const,
      server_url: httpUrl,
      auth_header: 'X-API-Key',
      auth_token: TOKEN,
      custom_headers: { 'X-Team': 'blue' },
    }),
  };
  const kinds = ['stdio', 'sse', 'streamable_http'] as const;

  const withServer = async (
    name: string,
    kind: (typeof kinds)[number],
    use: (id: string) => Promise<void>,
  ): Promise<void> => {
    const { id = '' } = await letta.mcpServers.create({ server_name: name, config: configs[kind]() });
    try {
      await use(id);
    } finally {
      await letta.mcpServers.delete(id);
    }
  };

  it.each(kinds)('creates, retrieves and deletes a server over %s', async (kind) => {
    const created = await letta.mcpServers.create({ server_name: `life ${kind}`, config: configs[kind]() });
    expect(created).toMatchObject({ server_name: `life ${kind}`, mcp_server_type: kind });
    expect(created.id).toMatch(/^mcp_server-/u);
    expect(created).toMatchObject({ sync: { status: 'ok', total: 9 }, tool_count: 9, status: { state: 'ready' } });
    const id = created.id ?? '';
    expect(await letta.mcpServers.retrieve(id)).toMatchObject({ id, server_name: `life ${kind}` });
    await letta.mcpServers.delete(id);
    await expect(letta.mcpServers.retrieve(id)).rejects.toBeInstanceOf(Letta.NotFoundError);
    await expect(letta.mcpServers.delete(id)).rejects.toBeInstanceOf(Letta.NotFoundError);
  });

  it('lists the three kinds beside each other', async () => {
    await withServer('a', 'stdio', () =>
      withServer('b', 'sse', () =>
        withServer('c', 'streamable_http', async () => {
          const listed = await letta.mcpServers.list();
          expect(listed.map((server) => [server.server_name, server.mcp_server_type])).toEqual([
            ['a', 'stdio'],
            ['b', 'sse'],
            ['c', 'streamable_http'],
          ]);
        }),
      ),
    );
  });

  it.each(kinds)('lists, retrieves and runs tools over %s', async (kind) => {
    await withServer(`tools ${kind}`, kind, async (id) => {
      const tools = await letta.mcpServers.tools.list(id);
      expect(tools).toHaveLength(9);
      const named = (name: string) => tools.find((tool) => tool.json_schema?.['name']?.toString().endsWith(name));
      const echo = named('echo')?.id ?? '';
      expect(await letta.mcpServers.tools.retrieve(echo, { mcp_server_id: id })).toMatchObject({
        id: echo,
        tool_type: 'external_mcp',
        description: 'Echo back a message.',
        tags: [`mcp:tools ${kind}`],
        metadata_: { mcp: { server_id: id } },
      });
      const said = await letta.mcpServers.tools.run(echo, { mcp_server_id: id, args: { message: 'hello' } });
      expect(said).toMatchObject({ status: 'success', func_return: 'Echo: hello', stdout: null });
      const sum = await letta.mcpServers.tools.run(named('add')?.id ?? '', { mcp_server_id: id, args: { a: 2, b: 3 } });
      expect(sum).toMatchObject({ status: 'success', func_return: '5' });
    });
  });

  it('sends the named auth header, the token and the custom headers together, and shows none of them', async () => {
    await withServer('secretive', 'streamable_http', async (id) => {
      const shown = JSON.stringify(await letta.mcpServers.retrieve(id));
      expect(shown).not.toContain(TOKEN);
      expect(JSON.parse(shown)).toMatchObject({ auth_header: 'X-API-Key', auth_token: '••••4321' });
      const { headers } = mock.log.of('tools/list').at(-1) ?? {};
      expect(headers).toMatchObject({ 'x-api-key': TOKEN, 'x-team': 'blue' });
    });
  });

  it('updates in part and keeps the rest, masked values included', async () => {
    await withServer('before', 'streamable_http', async (id) => {
      const updated = await letta.mcpServers.update(id, {
        server_name: 'after',
        config: { server_url: null, auth_token: '••••4321', custom_headers: { 'X-Team': 'green' } },
      });
      expect(updated).toMatchObject({ server_name: 'after', server_url: httpUrl, auth_header: 'X-API-Key' });
      await letta.mcpServers.refresh(id);
      const { headers } = mock.log.of('tools/list').at(-1) ?? {};
      expect(headers).toMatchObject({ 'x-api-key': TOKEN, 'x-team': 'green' });
      const [tool] = await letta.mcpServers.tools.list(id);
      expect(tool).toMatchObject({ tags: ['mcp:after'] });
      const ran = await letta.mcpServers.tools.run(tool?.id ?? '', { mcp_server_id: id, args: { message: 'still' } });
      expect(ran).toMatchObject({ status: 'success', func_return: 'Echo: still' });
    });
  });

  it('updates a stdio server', async () => {
    await withServer('child', 'stdio', async (id) => {
      const { command, args } = configs.stdio();
      const updated = await letta.mcpServers.update(id, { config: { mcp_server_type: 'stdio', command, args } });
      expect(updated).toMatchObject({ command, args, env: { MODE: '••••8765' } });
    });
  });

  it('refreshes: what is new, changed and gone', async () => {
    const first = fakeServer({ tools: [tool('kept', 'as it was'), tool('changed', 'once'), tool('gone', 'soon')] });
    const { url } = await first.listenHttp();
    const { id = '' } = await letta.mcpServers.create({
      server_name: 'changing',
      config: { mcp_server_type: 'streamable_http', server_url: url },
    });
    await first.close();
    await expect(letta.mcpServers.refresh(id)).rejects.toMatchObject({ status: 502 });
    expect(await letta.mcpServers.tools.list(id)).toHaveLength(3);
    // The same address with other tools: as after an upgrade of the server.
    const second = fakeServer({ tools: [tool('kept', 'as it was'), tool('changed', 'twice'), tool('new', 'hello')] });
    await second.listenHttp({ port: Number(new URL(url).port) });
    try {
      expect(await letta.mcpServers.refresh(id)).toMatchObject({
        added: ['new'],
        updated: ['changed'],
        deleted: ['gone'],
        status: 'ok',
      });
      await letta.mcpServers.delete(id);
    } finally {
      await second.close();
    }
  });

  it('registers a server that offers nothing, and one that is not there', async () => {
    const empty = lettaMockServer({ tools: false });
    const { url } = await empty.listenHttp();
    const quiet = await letta.mcpServers.create({
      server_name: 'empty',
      config: { mcp_server_type: 'streamable_http', server_url: url },
    });
    expect(quiet).toMatchObject({ sync: { status: 'ok', total: 0 } });
    expect(await letta.mcpServers.tools.list(quiet.id ?? '')).toEqual([]);
    await empty.close();
    const gone = await letta.mcpServers.create({
      server_name: 'gone',
      config: { mcp_server_type: 'streamable_http', server_url: url },
    });
    expect(gone).toMatchObject({ sync: { status: 'failed', error: { code: 'UPSTREAM_REFUSED' } } });
    for (const { id } of [quiet, gone]) await letta.mcpServers.delete(id ?? '');
  });

  it('pages through the tools of all servers', async () => {
    await withServer('one', 'sse', () =>
      withServer('two', 'streamable_http', async () => {
        const ids: string[] = [];
        for await (const tool of letta.tools.list({ limit: 4 })) ids.push(tool.id);
        expect(ids).toHaveLength(18);
        expect(new Set(ids).size).toBe(18);
        expect(await letta.tools.retrieve(ids[0] ?? '')).toMatchObject({ id: ids[0] });
      }),
    );
  });

  it('gets errors that it understands', async () => {
    await withServer('taken', 'sse', async (id) => {
      const config = configs.sse();
      await expect(letta.mcpServers.create({ server_name: 'taken', config })).rejects.toBeInstanceOf(
        Letta.ConflictError,
      );
      const bad = { mcp_server_type: 'sse' as const, server_url: 'not a url' };
      const refused = letta.mcpServers.create({ server_name: 'bad', config: bad });
      await expect(refused).rejects.toBeInstanceOf(Letta.UnprocessableEntityError);
      await expect(refused).rejects.toMatchObject({
        status: 422,
        error: { error: { code: 'VALIDATION_FAILED' }, detail: expect.stringContaining('config.server_url') },
      });
      const foreign = letta.mcpServers.tools.run('tool-00000000-0000-4000-8000-000000000000', { mcp_server_id: id });
      await expect(foreign).rejects.toBeInstanceOf(Letta.NotFoundError);
    });
  });
});
