import {
  revealConfig,
  errorEnvelope,
  PlugboardError,
  serverView,
  toolRunResult,
  toolView,
  type ServerView,
} from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { addTool, adminFixture, echoTool, httpServer } from '../test-support/admin-fixture.js';

const refused = (): never => {
  throw new PlugboardError('UPSTREAM_REFUSED', 'The server refused the connection.', { hint: 'Start it.' });
};

describe('servers by id', () => {
  it('registers, and answers with the flat server and the report of its sync', async () => {
    const { register } = await adminFixture();
    const server = serverView.parse(await register());
    expect(server).toMatchObject({ server_name: 'weather', mcp_server_type: 'streamable_http', tool_count: 2 });
    expect(server.sync).toMatchObject({ status: 'ok', added: ['echo', 'add'] });
  });

  it('registers a server that is down, and says so', async () => {
    const server = await (await adminFixture({ listTools: refused })).register();
    expect(server.sync).toMatchObject({ status: 'failed', error: { code: 'UPSTREAM_REFUSED' } });
    expect(server.status).toMatchObject({ state: 'failing' });
  });

  it('finds a server by its name as well', async () => {
    const { call, register } = await adminFixture();
    const { id } = await register();
    expect((await call('GET', '/v1/mcp-servers/weather')).body).toMatchObject({ id });
    const tools = (await call('GET', '/v1/mcp-servers/weather/tools')).body as unknown as {
      id: string;
      name: string;
    }[];
    expect(tools).toHaveLength(2);
    const one = `/v1/mcp-servers/weather/tools/${tools[0]?.id}`;
    expect((await call('PATCH', one, { enabled: false })).body).toMatchObject({ enabled: false });
    expect((await call('POST', '/v1/mcp-servers/weather/sync')).body).toMatchObject({ status: 'ok' });
    expect((await call('PATCH', '/v1/mcp-servers/weather', { server_name: 'climate' })).status).toBe(200);
    expect((await call('DELETE', '/v1/mcp-servers/climate')).status).toBe(204);
    expect((await call('GET', `/v1/mcp-servers/${id}`)).status).toBe(404);
  });

  it('rejects query parameters that it does not know, also where it takes none', async () => {
    const { call, register } = await adminFixture();
    const { id } = await register();
    for (const path of [`/v1/mcp-servers/${id}`, `/v1/mcp-servers/${id}/tools`, '/v1/health', '/v1/toolsets']) {
      expect(await call('GET', `${path}?verbose=1`)).toMatchObject({ status: 422 });
    }
  });

  it('masks every secret and keeps every name', async () => {
    const { app, register } = await adminFixture();
    const { id } = await register();
    const text = await (await app.request(`/v1/mcp-servers/${id}`)).text();
    expect(text).not.toContain('token-of-some');
    expect(text).not.toContain('secret-team');
    expect(JSON.parse(text)).toMatchObject({
      auth_header: 'X-API-Key',
      auth_token: '••••1234',
      custom_headers: { 'X-Team': '••••5678' },
    });
  });

  it('changes nothing when what was read is sent back', async () => {
    const { call, register, registry } = await adminFixture();
    const { id } = await register();
    const { body } = await call('GET', `/v1/mcp-servers/${id}`);
    const { server_url, auth_header, auth_token, custom_headers, mcp_server_type } = body as unknown as ServerView & {
      server_url: string;
      auth_header: string;
      auth_token: string;
      custom_headers: Record<string, string>;
    };
    const config = { mcp_server_type, server_url, auth_header, auth_token, custom_headers };
    expect((await call('PATCH', `/v1/mcp-servers/${id}`, { config })).status).toBe(200);
    expect(revealConfig((await registry.getServer(id)).config)).toEqual(httpServer('weather').config);
  });

  it('restores the masked values of an environment and takes the new ones', async () => {
    const { call, register, registry } = await adminFixture();
    const { id } = await register({
      server_name: 'files',
      config: { mcp_server_type: 'stdio', command: 'node', args: [], env: { KEY: 'a-secret-of-length', OLD: 'x' } },
    });
    const env = { KEY: '••••ngth', NEW: 'fresh' };
    expect((await call('PATCH', `/v1/mcp-servers/${id}`, { config: { env } })).status).toBe(200);
    expect(revealConfig((await registry.getServer(id)).config)).toMatchObject({
      env: { KEY: 'a-secret-of-length', NEW: 'fresh' },
    });
  });

  it('leaves a server without secrets as it is', async () => {
    const { call, register } = await adminFixture();
    const { id } = await register({
      server_name: 'plain',
      config: { mcp_server_type: 'sse', server_url: 'https://tools.example/sse' },
    });
    const { body } = await call('PATCH', `/v1/mcp-servers/${id}`, { server_name: 'plainer' });
    expect(body).toMatchObject({ server_name: 'plainer', auth_token: null, custom_headers: null, auth_header: null });
  });

  it('lists all without a limit, and pages with one', async () => {
    const { call, register } = await adminFixture({ listTools: async () => [] });
    for (const name of ['a', 'b', 'c']) await register(httpServer(name));
    expect((await call('GET', '/v1/mcp-servers/')).body).toHaveLength(3);
    const first = await call('GET', '/v1/mcp-servers?limit=2');
    const names = (body: unknown) => (body as ServerView[]).map((server) => server.server_name);
    expect(names(first.body)).toEqual(['a', 'b']);
    const link = first.headers.get('link') ?? '';
    expect(link).toMatch(/^<\/v1\/mcp-servers\?limit=2&after=mcp_server-[^>]+>; rel="next"$/u);
    const second = await call('GET', link.slice(1, link.indexOf('>')));
    expect(names(second.body)).toEqual(['c']);
    expect(second.headers.get('x-next-after')).toBeNull();
  });

  it('deletes with 204, then finds nothing', async () => {
    const { call, register } = await adminFixture();
    const { id } = await register();
    expect((await call('DELETE', `/v1/mcp-servers/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await call(method, `/v1/mcp-servers/${id}`);
      expect([status, (body as { error: { code: string } }).error.code]).toEqual([404, 'SERVER_NOT_FOUND']);
    }
  });
});

describe('sync', () => {
  it('answers a refresh with Letta’s members', async () => {
    let tools = [echoTool];
    const { call, register } = await adminFixture({ listTools: async () => tools });
    const { id } = await register();
    tools = [addTool];
    const { body } = await call('PATCH', `/v1/mcp-servers/${id}/refresh`);
    expect(body).toMatchObject({ deleted: ['echo'], added: ['add'], updated: [], status: 'ok' });
  });

  it('fails a refresh with the reason, and reports it from a sync', async () => {
    let up = true;
    const { call, register } = await adminFixture({ listTools: async () => (up ? [echoTool] : refused()) });
    const { id } = await register();
    up = false;
    const refresh = await call('PATCH', `/v1/mcp-servers/${id}/refresh`);
    expect(refresh.status).toBe(502);
    expect(errorEnvelope.parse(refresh.body).error).toMatchObject({ code: 'UPSTREAM_REFUSED', hint: 'Start it.' });
    const sync = await call('POST', `/v1/mcp-servers/${id}/sync`);
    expect(sync).toMatchObject({ status: 200, body: { status: 'failed', error: { code: 'UPSTREAM_REFUSED' } } });
  });

  it('changes nothing in a dry run', async () => {
    let tools = [echoTool];
    const { call, register, tools: stored } = await adminFixture({ listTools: async () => tools });
    const { id } = await register();
    tools = [echoTool, addTool];
    expect((await call('POST', `/v1/mcp-servers/${id}/sync?dry_run=true`)).body).toMatchObject({
      added: ['add'],
      dry_run: true,
    });
    expect(await stored(id)).toHaveLength(1);
  });
});

describe('tools', () => {
  it('shows ours and Letta’s members', async () => {
    const { register, tools } = await adminFixture();
    const [first] = await tools((await register()).id);
    expect(toolView.parse(first)).toMatchObject({
      upstream_name: 'echo',
      tool_type: 'external_mcp',
      json_schema: { name: 'weather__echo', description: 'Says it back', parameters: echoTool.inputSchema },
      args_json_schema: echoTool.inputSchema,
      metadata_: { mcp: { server_name: 'weather' } },
    });
  });

  it('asks the server for its tools and instructions now, and stores nothing', async () => {
    const upstream = { listTools: async () => [echoTool], instructions: async () => 'Be brief.' };
    const { call, register, tools } = await adminFixture(upstream);
    const { id } = await register();
    upstream.listTools = async () => [echoTool, addTool];
    expect(await call('GET', `/v1/mcp-servers/${id}/offer`)).toMatchObject({
      status: 200,
      body: { instructions: 'Be brief.', tools: [echoTool, addTool] },
    });
    expect(await tools(id)).toHaveLength(1);
    expect((await call('GET', '/v1/mcp-servers/nobody/offer')).status).toBe(404);
  });

  it('shows and stores the normalised schema with its own grade, beside the original', async () => {
    const original = { properties: { tags: { items: { type: 'string' } } } };
    const normalised = {
      type: 'object',
      properties: { tags: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
    };
    const { register, tools } = await adminFixture({
      listTools: async () => [{ name: 'loose', inputSchema: original }],
    });
    const [first] = await tools((await register()).id);
    expect(toolView.parse(first)).toMatchObject({
      input_schema: original,
      grade: { status: 'NON_STRICT_ONLY' },
      normalised: { schema: normalised, grade: { status: 'STRICT_COMPLIANT' } },
      json_schema: { parameters: normalised, 'mcp:SCHEMA_STATUS': 'STRICT_COMPLIANT', 'mcp:SCHEMA_WARNINGS': [] },
      args_json_schema: normalised,
    });
  });

  it('runs one and keeps the whole result', async () => {
    const { call, register, tools } = await adminFixture();
    const { id } = await register();
    const [echo] = await tools(id);
    const { body } = await call('POST', `/v1/mcp-servers/${id}/tools/${echo?.id}/run`, { args: { text: 'hi' } });
    expect(toolRunResult.parse(body)).toMatchObject({
      status: 'success',
      func_return: 'echo {"text":"hi"}',
      result: { content: [{ type: 'text' }] },
    });
    expect((await call('POST', `/v1/mcp-servers/${id}/tools/${echo?.id}/run`)).body).toMatchObject({
      func_return: 'echo {}',
    });
  });

  it('keeps the text of a tool’s own error', async () => {
    const { call, register, tools } = await adminFixture({
      callTool: async () => ({ isError: true, content: [{ type: 'text', text: 'no such city' }] }),
    });
    const { id } = await register();
    const [echo] = await tools(id);
    expect((await call('POST', `/v1/mcp-servers/${id}/tools/${echo?.id}/run`, {})).body).toMatchObject({
      status: 'error',
      func_return: 'no such city',
    });
  });

  it('knows which server a tool belongs to', async () => {
    const { call, register, tools } = await adminFixture();
    const mine = await register(httpServer('mine'));
    const other = await register(httpServer('other'));
    const [tool] = await tools(mine.id);
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/run'],
    ] as const) {
      const { status, body } = await call(
        method,
        `/v1/mcp-servers/${other.id}/tools/${tool?.id}${suffix}`,
        method === 'GET' ? undefined : {},
      );
      expect([status, (body as { error: { code: string } }).error.code]).toEqual([404, 'TOOL_NOT_FOUND']);
    }
    expect((await call('GET', `/v1/mcp-servers/${mine.id}/tools/${tool?.id}`)).status).toBe(200);
  });

  it('switches one off and tags it', async () => {
    const { call, register, tools } = await adminFixture();
    const { id } = await register();
    const [tool] = await tools(id);
    const { body } = await call('PATCH', `/v1/mcp-servers/${id}/tools/${tool?.id}`, {
      enabled: false,
      tags: ['risky'],
    });
    expect(body).toMatchObject({ enabled: false, tags: ['mcp:weather', 'risky'] });
  });

  it('lists those of all servers, filtered and paged', async () => {
    const { call, register } = await adminFixture();
    for (const name of ['a', 'b', 'c']) await register(httpServer(name));
    const names = (body: unknown) => (body as { name: string }[]).map((tool) => tool.name);
    expect((await call('GET', '/v1/tools/')).body).toHaveLength(6);
    expect(names((await call('GET', '/v1/tools?name=add')).body)).toEqual(['a__add', 'b__add', 'c__add']);
    expect(names((await call('GET', '/v1/tools?search=SAYS%20IT&limit=2')).body)).toEqual(['a__echo', 'b__echo']);
    const after = (await call('GET', '/v1/tools?search=echo&limit=2')).headers.get('x-next-after');
    expect(names((await call('GET', `/v1/tools?search=echo&limit=2&after=${after}`)).body)).toEqual(['c__echo']);
  });

  it('shows one by its id alone', async () => {
    const { call, register, tools } = await adminFixture();
    const [tool] = await tools((await register()).id);
    expect((await call('GET', `/v1/tools/${tool?.id}`)).body).toMatchObject({ upstream_name: 'echo' });
    expect(await call('GET', '/v1/tools/mcp')).toMatchObject({
      status: 404,
      body: { error: { code: 'TOOL_NOT_FOUND' } },
    });
  });

  it('lists those of one server only when asked', async () => {
    const { call, register } = await adminFixture();
    await register(httpServer('a'));
    const { id } = await register(httpServer('b'));
    expect((await call('GET', `/v1/tools?server_id=${id}`)).body).toHaveLength(2);
  });
});

describe('the hub', () => {
  it('says that it is alive', async () => {
    const { call } = await adminFixture();
    expect((await call('GET', '/v1/health/')).body).toMatchObject({ status: 'ok', version: '9.9.9' });
  });

  it('forbids caches and sniffing, also on failures', async () => {
    const { call } = await adminFixture();
    for (const path of ['/v1/health', '/nowhere']) {
      const { headers } = await call('GET', path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('hides what nobody expected, and logs it', async () => {
    const { call, register, tools, logged } = await adminFixture({
      callTool: () => {
        throw new TypeError('cannot read /etc/secret');
      },
    });
    const { id } = await register();
    const [tool] = await tools(id);
    const { status, body } = await call('POST', `/v1/mcp-servers/${id}/tools/${tool?.id}/run`, {});
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('/etc/secret');
    expect(errorEnvelope.parse(body).error.code).toBe('INTERNAL');
    expect(logged).toHaveLength(1);
  });

  it('says when to come back', async () => {
    const { call, register, tools } = await adminFixture({
      callTool: () => {
        throw new PlugboardError('RATE_LIMITED', 'Too many calls.', { retryAfterMs: 1500 });
      },
    });
    const { id } = await register();
    const [tool] = await tools(id);
    const { status, headers, body } = await call('POST', `/v1/mcp-servers/${id}/tools/${tool?.id}/run`, {});
    expect([status, headers.get('retry-after')]).toEqual([429, '2']);
    expect(errorEnvelope.parse(body).error.hint).not.toBe('');
  });

  it('answers HEAD and OPTIONS', async () => {
    const { app } = await adminFixture();
    const head = await app.request('/v1/health', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await app.request('/v1/mcp-servers/', { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'POST, GET, HEAD, OPTIONS']);
  });
});
