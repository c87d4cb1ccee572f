import type { Agent, ApiKey, ApiKeyCreated, Principal, ToolRunResult } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { adminFixture, httpServer } from './test-support/admin-fixture.js';

const SECRET = 'canary-value-of-a-variable-1234';

describe('keys to the hub', () => {
  it('are shown once, found by their holder, and revoked', async () => {
    const { call, registry } = await adminFixture();
    expect(await registry.keys.exist()).toBe(false);
    const made = await call('POST', '/v1/keys', { name: 'laptop', role: 'viewer' });
    expect(made.status).toBe(201);
    const { key, ...shown } = made.body as ApiKeyCreated;
    expect(key).toMatch(/^pb_[0-9a-f]{12}_[A-Za-z0-9_-]{43}$/u);
    expect(await registry.keys.exist()).toBe(true);
    expect(await registry.keys.authenticate(key)).toEqual({ id: shown.id, role: 'viewer' });
    const listed = await call('GET', '/v1/keys');
    expect(JSON.stringify(listed.body)).not.toContain(key);
    expect(listed.body).toMatchObject([{ id: shown.id, prefix: key.slice(0, 15) }]);
    expect((await call('DELETE', `/v1/keys/${shown.id}`)).body).toMatchObject({ revoked_at: expect.any(String) });
    await expect(registry.keys.authenticate(key)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'This key was revoked.',
    });
    expect(await registry.keys.exist()).toBe(true);
    expect((await call('DELETE', '/v1/keys/key-unknown')).status).toBe(404);
  });

  it('expire, and are told from keys of others by every character', async () => {
    const { registry } = await adminFixture();
    const past = await registry.keys.create({ name: 'old', role: 'admin', expires_at: '2020-01-01T00:00:00.000Z' });
    const { key } = await registry.keys.create({ name: 'new', role: 'admin' });
    await expect(registry.keys.authenticate(past.key)).rejects.toThrow('expired');
    const altered = key.endsWith('A') ? `${key.slice(0, -1)}B` : `${key.slice(0, -1)}A`;
    for (const wrong of [altered, key.slice(0, -1), `${key}A`, '', 'pb_', past.key.slice(0, 15) + key.slice(15)]) {
      await expect(registry.keys.authenticate(wrong)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
    expect(await registry.keys.authenticate(key)).toMatchObject({ role: 'admin' });
  });

  it('belong to agents that exist, and only with the role for it', async () => {
    const { call } = await adminFixture();
    const agent = (await call('POST', '/v1/agents', { name: 'researcher' })).body as Agent;
    const body = { name: 'k', agent_id: agent.id };
    expect((await call('POST', '/v1/keys', { ...body, role: 'admin' })).status).toBe(422);
    const unknown = 'agent-00000000-0000-4000-8000-000000000000';
    expect((await call('POST', '/v1/keys', { ...body, agent_id: unknown })).status).toBe(404);
    expect((await call('POST', '/v1/keys', body)).body).toMatchObject({ role: 'agent', agent_id: agent.id });
    await call('DELETE', `/v1/agents/${agent.id}`);
    expect((await call('GET', '/v1/keys')).body as ApiKey[]).toMatchObject([{ revoked_at: expect.any(String) }]);
  });
});

describe('agents', () => {
  it('are made, changed and deleted; their variables are masked and kept', async () => {
    const { call, registry } = await adminFixture();
    const made = await call('POST', '/v1/agents/', { name: 'researcher', variables: { API_KEY: SECRET } });
    const agent = made.body as Agent;
    expect(agent).toMatchObject({ name: 'researcher', variables: { API_KEY: '••••1234' }, server_ids: [] });
    expect((await call('POST', '/v1/agents', { name: 'researcher' })).status).toBe(409);
    const masked = { variables: { ...agent.variables, OTHER: 'two' }, name: 'writer' };
    await call('PATCH', `/v1/agents/${agent.id}`, masked);
    const { variables } = await registry.agents.get('writer');
    expect(Object.entries(variables).map(([name, value]) => [name, value.reveal()])).toEqual([
      ['API_KEY', SECRET],
      ['OTHER', 'two'],
    ]);
    expect((await call('PATCH', `/v1/agents/${agent.id}`, { variables: { NEW: '••••1234' } })).status).toBe(422);
    expect((await call('PATCH', `/v1/agents/${agent.id}`, { server_ids: ['mcp_server-none'] })).status).toBe(422);
    const nowhere = { server_ids: ['mcp_server-00000000-0000-4000-8000-000000000000'] };
    expect((await call('PATCH', `/v1/agents/${agent.id}`, nowhere)).status).toBe(400);
    expect(JSON.stringify((await call('GET', '/v1/agents')).body)).not.toContain(SECRET);
    expect((await call('DELETE', `/v1/agents/${agent.id}`)).status).toBe(204);
    expect((await call('GET', `/v1/agents/${agent.id}`)).status).toBe(404);
    expect((await call('DELETE', `/v1/agents/${agent.id}`)).status).toBe(404);
  });

  it('run what they were given, and nothing else', async () => {
    const { call, register, tools } = await adminFixture();
    const server = await register();
    await register(httpServer('other'));
    const [echo] = await tools(server.id);
    const agent = (await call('POST', '/v1/agents', { name: 'a', server_ids: [server.id] })).body as Agent;
    const at = `/v1/agents/${agent.id}/tools`;
    const names = async () => ((await call('GET', at)).body as { name: string }[]).map(({ name }) => name);
    expect(await names()).toEqual(['weather__echo', 'weather__add']);
    const ran = await call('POST', `${at}/weather__echo/run`, { args: { text: 'hi' } });
    expect(ran.body as ToolRunResult).toMatchObject({ status: 'success', func_return: 'echo {"text":"hi"}' });
    expect((await call('POST', `${at}/echo/run`)).status).toBe(200);
    expect((await call('POST', `${at}/other__echo/run`)).status).toBe(404);
    await call('PATCH', `${at}/detach/${echo?.id}`);
    expect(await names()).toEqual(['weather__add']);
    expect((await call('POST', `${at}/echo/run`)).status).toBe(404);
    await call('PATCH', `${at}/attach/${echo?.id}`);
    expect(await names()).toEqual(['weather__echo', 'weather__add']);
    expect((await call('PATCH', `${at}/attach/tool-none`)).status).toBe(404);
  });

  it('lose no decision about a tool to another one at the same time', async () => {
    const { call, register, tools } = await adminFixture();
    const [echo, add] = await tools((await register()).id);
    const { id } = (await call('POST', '/v1/agents', { name: 'a' })).body as Agent;
    const decide = (decision: string, tool: string | undefined) =>
      call('PATCH', `/v1/agents/${id}/tools/${decision}/${tool}`);
    await Promise.all([decide('attach', echo?.id), decide('detach', add?.id)]);
    const known = async () => (await call('GET', `/v1/agents/${id}`)).body as Agent;
    expect(await known()).toMatchObject({ allow_tool_ids: [echo?.id], deny_tool_ids: [add?.id] });
    await Promise.all([decide('detach', echo?.id), decide('attach', add?.id)]);
    expect(await known()).toMatchObject({ allow_tool_ids: [add?.id], deny_tool_ids: [echo?.id] });
  });

  it('need the whole name of a tool that several of their servers have', async () => {
    const { call, register } = await adminFixture();
    const ids = [(await register()).id, (await register(httpServer('other'))).id];
    const agent = (await call('POST', '/v1/agents', { name: 'a', server_ids: ids })).body as Agent;
    expect((await call('POST', `/v1/agents/${agent.id}/tools/echo/run`)).status).toBe(409);
    expect((await call('POST', `/v1/agents/a/tools/other__echo/run`)).status).toBe(200);
  });

  it('see themselves only', async () => {
    let principal: Principal = { id: 'k', role: 'admin' };
    const { call } = await adminFixture({}, { admit: () => principal });
    const first = (await call('POST', '/v1/agents', { name: 'first' })).body as Agent;
    const second = (await call('POST', '/v1/agents', { name: 'second' })).body as Agent;
    principal = { id: 'k', role: 'agent', agent: first.id };
    expect((await call('GET', `/v1/agents/${first.id}`)).status).toBe(200);
    expect((await call('GET', '/v1/agents/second')).status).toBe(404);
    expect((await call('POST', `/v1/agents/${second.id}/tools/echo/run`)).status).toBe(404);
    principal = { id: 'k', role: 'agent' };
    expect((await call('GET', `/v1/agents/${first.id}`)).status).toBe(404);
  });

  it('can be named when tools are read again', async () => {
    const { call, register } = await adminFixture();
    const server = await register();
    const agent = (await call('POST', '/v1/agents', { name: 'a' })).body as Agent;
    const refresh = `/v1/mcp-servers/${server.id}/refresh`;
    expect((await call('PATCH', `${refresh}?agent_id=${agent.id}`)).status).toBe(200);
    expect((await call('PATCH', `${refresh}?agent_id=nobody`)).status).toBe(404);
    expect((await call('POST', `/v1/mcp-servers/${server.id}/sync?agent_id=${agent.id}`)).status).toBe(200);
  });
});

describe('who may call', () => {
  it('is asked before anything else, and refusals are written down', async () => {
    const { call, registry } = await adminFixture(
      {},
      {
        admit: (operation) => {
          if (operation.id === 'createAgent') throw Object.assign(new Error('no'), { code: 'x' });
          return { id: 'somebody', role: 'viewer' };
        },
      },
    );
    expect((await call('POST', '/v1/agents', 'not even an object')).status).toBe(500);
    await call('POST', '/v1/keys', { name: 'k' });
    expect(await registry.audit.read()).toMatchObject([
      { action: 'createKey', actor: 'somebody', outcome: 'ok' },
      { action: 'createAgent', actor: 'unknown', outcome: 'INTERNAL' },
    ]);
  });
});

describe('changes to an agent that depend on what was read', () => {
  it('are made to that state only, so that none of two is lost', async () => {
    const { call } = await adminFixture();
    const made = (await call('POST', '/v1/agents', { name: 'bot', variables: { A: SECRET } })).body as Agent;
    const change = (name: string, seen: Agent) =>
      call('PATCH', `/v1/agents/${made.id}`, {
        variables: { ...seen.variables, [name]: SECRET },
        if_updated_at: seen.updated_at,
      });
    const ends = await Promise.all([change('B', made), change('C', made)]);
    expect(ends.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const now = (await call('GET', `/v1/agents/${made.id}`)).body as Agent;
    expect(ends.find(({ status }) => status === 409)?.body).toMatchObject({
      error: { code: 'CONFLICT', details: { updated_at: now.updated_at } },
    });
    const missing = 'B' in now.variables ? 'C' : 'B';
    const last = await change(missing, now);
    expect(last.status).toBe(200);
    expect(Object.keys((last.body as Agent).variables).toSorted()).toEqual(['A', 'B', 'C']);
    expect((await call('PATCH', `/v1/agents/${made.id}`, { if_updated_at: 'yesterday' })).status).toBe(422);
  });
});

describe('what two callers delete at the same time', () => {
  it('is deleted once: the other gets 404', async () => {
    const { call, register } = await adminFixture();
    const agent = (await call('POST', '/v1/agents', { name: 'bot' })).body as Agent;
    const toolset = (await call('POST', '/v1/toolsets', { name: 'mine' })).body as { readonly id: string };
    const server = await register();
    for (const path of [`agents/${agent.id}`, `toolsets/${toolset.id}`, `mcp-servers/${server.id}`]) {
      const ends = await Promise.all([call('DELETE', `/v1/${path}`), call('DELETE', `/v1/${path}`)]);
      expect([path, ...ends.map(({ status }) => status).toSorted((a, b) => a - b)]).toEqual([path, 204, 404]);
    }
  });
});
