import { revealConfig, type ServerConfig, liveTool, namedServerView, PlugboardError } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { Registry } from '../facade/registry.js';
import { addTool, adminFixture, echoTool } from './test-support/admin-fixture.js';

const all = '/v1/tools/mcp/servers';

const stdio = (name: string) => ({
  server_name: name,
  type: 'stdio',
  command: 'node',
  args: ['a b'],
  env: { KEY: 'a-long-enough-key' },
});
const http = (name: string) => ({
  server_name: name,
  type: 'streamable_http',
  server_url: 'https://tools.example/mcp',
  auth_header: 'X-API-Key',
  auth_token: 'token-of-some-length-1234',
});

const configOf = async (registry: Registry, name: string): Promise<ServerConfig | undefined> => {
  const found = await registry.findServerByName(name);
  return found && revealConfig(found.config);
};

describe('servers by name', () => {
  it('creates with PUT and answers with all of them', async () => {
    const { call } = await adminFixture();
    await call('PUT', all, stdio('one'));
    const { status, body } = await call('PUT', `${all}/`, http('two'));
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { server_name: 'one', type: 'stdio', args: ['a b'], env: { KEY: '••••-key' } },
      { server_name: 'two', type: 'streamable_http', auth_header: 'X-API-Key', auth_token: '••••1234' },
    ]);
  });

  it('lists them in an object keyed by name', async () => {
    const { call } = await adminFixture();
    await call('PUT', all, stdio('one'));
    const { body } = await call('GET', all);
    expect(Object.keys(body)).toEqual(['one']);
    expect(namedServerView.parse((body as Record<string, unknown>)['one'])).toMatchObject({ type: 'stdio' });
  });

  it('refuses a name that is taken', async () => {
    const { call } = await adminFixture();
    await call('PUT', all, stdio('one'));
    expect(await call('PUT', all, http('one'))).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  });

  it('changes what is named and keeps the rest', async () => {
    const { call, registry } = await adminFixture();
    await call('PUT', all, http('two'));
    const { body } = await call('PATCH', `${all}/two`, { server_name: 'three', token: 'another-token-9999' });
    expect(body).toMatchObject({ server_name: 'three', auth_token: '••••9999', auth_header: 'X-API-Key' });
    expect(await configOf(registry, 'three')).toMatchObject({ auth_token: 'another-token-9999' });
  });

  it('takes back what it showed', async () => {
    const { call, registry } = await adminFixture();
    await call('PUT', all, stdio('one'));
    const before = await configOf(registry, 'one');
    const { id: _id, enabled: _enabled, ...shown } = (await call('GET', all)).body['one'] as Record<string, unknown>;
    expect((await call('PATCH', `${all}/one`, shown)).status).toBe(200);
    expect(await configOf(registry, 'one')).toEqual(before);
  });

  it('takes the block of a stdio server', async () => {
    const { call, registry } = await adminFixture();
    await call('PUT', all, stdio('one'));
    const stdio_config = {
      server_name: 'uno',
      type: 'stdio',
      command: 'deno',
      args: ['run'],
      env: { KEY: '••••-key' },
    };
    expect((await call('PATCH', `${all}/one`, { stdio_config })).body).toMatchObject({ server_name: 'uno' });
    expect(await configOf(registry, 'uno')).toMatchObject({
      command: 'deno',
      args: ['run'],
      env: { KEY: 'a-long-enough-key' },
    });
  });

  it.each([
    [{ server_url: 'https://a.example' }, 'server_url'],
    [{ type: 'sse' }, 'type'],
    [{ token: 'abc' }, 'auth_token'],
  ])('refuses %j for a stdio server', async (change, field) => {
    const { call } = await adminFixture();
    await call('PUT', all, stdio('one'));
    const { status, body } = await call('PATCH', `${all}/one`, change);
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: field }] } } });
  });

  it('deletes and answers with the rest', async () => {
    const { call } = await adminFixture();
    await call('PUT', all, stdio('one'));
    await call('PUT', all, http('two'));
    expect((await call('DELETE', `${all}/one`)).body).toMatchObject([{ server_name: 'two' }]);
    expect((await call('DELETE', `${all}/one`)).status).toBe(404);
  });
});

describe('tools of a server by name', () => {
  it('asks the server now and judges each tool', async () => {
    const { call } = await adminFixture({ listTools: async () => [echoTool, { name: 'broken', inputSchema: true }] });
    await call('PUT', all, stdio('one'));
    const [good, bad] = ((await call('GET', `${all}/one/tools`)).body as unknown[]).map((tool) => liveTool.parse(tool));
    expect(good).toMatchObject({ name: 'echo', inputSchema: echoTool.inputSchema });
    expect(good?.health.status).not.toBe('INVALID');
    expect(bad?.health).toMatchObject({ status: 'INVALID', reasons: [expect.any(String)] });
  });

  it('resyncs', async () => {
    let tools = [echoTool];
    const { call } = await adminFixture({ listTools: async () => tools });
    await call('PUT', all, stdio('one'));
    tools = [echoTool, addTool];
    expect((await call('POST', `${all}/one/resync`)).body).toMatchObject({ added: ['add'], deleted: [], updated: [] });
  });

  it('offers one tool, reading the list again when it is new', async () => {
    let tools = [echoTool];
    const { call } = await adminFixture({ listTools: async () => tools });
    await call('PUT', all, stdio('one'));
    tools = [echoTool, addTool];
    expect((await call('POST', `${all}/one/add`)).body).toMatchObject({ upstream_name: 'add', enabled: true });
    const { status, body } = await call('POST', `${all}/one/nothing`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { code: 'TOOL_NOT_FOUND', details: { available: ['echo', 'add'] } } });
  });

  it('offers a tool again that was switched off', async () => {
    const { call, registry } = await adminFixture();
    await call('PUT', all, stdio('one'));
    const [tool] = await registry.listTools();
    await registry.updateTool(tool?.server_id ?? '', tool?.id ?? '', { enabled: false });
    expect((await call('POST', `${all}/one/${tool?.upstream_name}`)).body).toMatchObject({ enabled: true });
  });

  it('reaches a tool called resync under tools/', async () => {
    const { call } = await adminFixture({ listTools: async () => [{ ...echoTool, name: 'resync' }] });
    await call('PUT', all, stdio('one'));
    expect((await call('POST', `${all}/one/tools/resync`)).body).toMatchObject({ upstream_name: 'resync' });
    expect((await call('POST', `${all}/one/resync`)).body).toMatchObject({ status: 'ok' });
  });

  it('reaches a tool with a slash in its name', async () => {
    const { call } = await adminFixture({ listTools: async () => [{ ...echoTool, name: 'files/read' }] });
    await call('PUT', all, stdio('one'));
    expect((await call('POST', `${all}/one/tools/files%2Fread/execute`)).body).toMatchObject({
      result: 'files/read {}',
    });
  });

  it('executes', async () => {
    const { call } = await adminFixture();
    await call('PUT', all, stdio('one'));
    const { body } = await call('POST', `${all}/one/tools/echo/execute`, { args: { text: 'x' } });
    expect(body).toEqual({
      result: 'echo {"text":"x"}',
      success: true,
      tool_result: { content: [{ type: 'text', text: 'echo {"text":"x"}' }] },
    });
    expect((await call('POST', `${all}/one/tools/none/execute`, {})).status).toBe(404);
  });
});

describe('a trial', () => {
  it('lists tools and stores nothing', async () => {
    const { call } = await adminFixture();
    const { body } = await call('POST', `${all}/test`, http('two'));
    expect(body).toMatchObject({ status: 'success', tools: [{ name: 'echo' }, { name: 'add' }] });
    expect((await call('GET', all)).body).toEqual({});
  });

  it('fails with the reason', async () => {
    const { call } = await adminFixture({
      listTools: () => {
        throw new PlugboardError('UPSTREAM_TIMEOUT', 'No answer in time.');
      },
    });
    expect(await call('POST', `${all}/test`, http('two'))).toMatchObject({
      status: 504,
      body: { error: { code: 'UPSTREAM_TIMEOUT' }, detail: 'No answer in time.' },
    });
  });
});
