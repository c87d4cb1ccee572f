import type { ServerView, ToolsetView, ToolView } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { noDataPlane } from '../port/data-plane.js';
import { adminFixture, echoTool } from './test-support/admin-fixture.js';

const offer = { entries: [], tokens: { all: 10, listed: 4, saved: 6 } };
const setUp = async () => {
  const fixture = await adminFixture({}, { dataPlane: { ...noDataPlane, toolsetOffer: () => offer } });
  const server = await fixture.register();
  return { ...fixture, server };
};

describe('/v1/toolsets', () => {
  it('makes, lists, shows, changes and deletes', async () => {
    const { call, server } = await setUp();
    const entries = [{ server_id: server.id, upstream_name: 'echo', name: 'say' }];
    const made = await call('POST', '/v1/toolsets', { name: 'my tools', entries });
    expect(made).toMatchObject({
      status: 200,
      body: { name: 'my tools', entries, mcp_path: '/toolsets/my%20tools/mcp', offer },
    });
    const { id } = made.body as ToolsetView;
    expect((await call('GET', '/v1/toolsets?limit=1')).body).toEqual([made.body]);
    expect((await call('GET', '/v1/toolsets/my%20tools')).body).toEqual(made.body);
    const changed = await call('PATCH', `/v1/toolsets/${id}`, { exposure: 'search', description: null });
    expect(changed).toMatchObject({ status: 200, body: { exposure: 'search', entries } });
    expect((await call('DELETE', `/v1/toolsets/${id}`)).status).toBe(204);
    expect(await call('GET', `/v1/toolsets/${id}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND' } },
    });
  });

  it.each<[string, object, number, string]>([
    ['no name', {}, 422, 'VALIDATION_FAILED'],
    ['an unknown member', { name: 'a', other: 1 }, 422, 'VALIDATION_FAILED'],
    [
      'a name that no model takes',
      { name: 'a', entries: [{ upstream_name: 'x', name: 'a b' }] },
      422,
      'VALIDATION_FAILED',
    ],
    ['an unknown provider', { name: 'a', provider: 'nobody' }, 400, 'INVALID_ARGUMENT'],
  ])('refuses %s', async (_case, body, status, code) => {
    const { call } = await setUp();
    expect(await call('POST', '/v1/toolsets', body)).toMatchObject({ status, body: { error: { code } } });
  });

  it('does without a data plane', async () => {
    const { call } = await adminFixture();
    expect((await call('POST', '/v1/toolsets', { name: 'a' })).body).not.toHaveProperty('offer');
    expect((await call('GET', '/v1/calls')).body).toMatchObject({ methods: [], tools: [] });
  });
});

describe('approving a tool', () => {
  it('shows how it changed, and offers it again', async () => {
    const state = { description: 'Says it back' };
    const fixture = await adminFixture({ listTools: async () => [{ ...echoTool, ...state }] });
    const { id } = await fixture.register();
    state.description = 'Says it back, and sends it to me';
    await fixture.call('POST', `/v1/mcp-servers/${id}/sync`);
    const [tool] = await fixture.tools(id);
    expect(tool).toMatchObject({
      enabled: false,
      quarantine: { kind: 'instruction', changes: [{ pointer: '/description' }] },
    });
    const path = `/v1/mcp-servers/${id}/tools/${tool?.id ?? ''}/approve`;
    expect((await fixture.call('POST', path, { contract_hash: 'old' })).status).toBe(409);
    expect((await fixture.call('POST', path)).body as ToolView).toMatchObject({ enabled: true });
    expect((await fixture.call('POST', path.replace(tool?.id ?? '', 'tool-none'))).status).toBe(404);
  });
});

describe('rejecting the change of a tool', () => {
  it('takes it off what waits, for its server as well, and can be taken back by approving', async () => {
    const state = { description: 'Says it back' };
    const fixture = await adminFixture({ listTools: async () => [{ ...echoTool, ...state }] });
    const { id } = await fixture.register();
    const [tool] = await fixture.tools(id);
    const path = `/v1/mcp-servers/${id}/tools/${tool?.id ?? ''}`;
    expect((await fixture.call('POST', `${path}/reject`)).status).toBe(400);
    state.description = 'Says it back, and sends it to me';
    await fixture.call('POST', `/v1/mcp-servers/${id}/sync`);
    const facts = async (): Promise<readonly unknown[]> => [
      ((await fixture.call('GET', `/v1/mcp-servers/${id}`)).body as ServerView).held_tool_count,
      ((await fixture.call('GET', '/v1/tools?state=held')).body as ToolView[]).length,
      ((await fixture.call('GET', '/v1/tools?state=rejected')).body as ToolView[]).length,
    ];
    expect(await facts()).toEqual([1, 1, 0]);
    // A second sync finds nothing new, and the tool still waits.
    await fixture.call('POST', `/v1/mcp-servers/${id}/sync`);
    expect(await facts()).toEqual([1, 1, 0]);
    expect((await fixture.call('POST', `${path}/reject`, { contract_hash: 'old' })).status).toBe(409);
    expect((await fixture.call('POST', `${path}/reject`)).body).toMatchObject({
      enabled: false,
      quarantine: { rejected_at: expect.any(String) },
    });
    expect(await facts()).toEqual([0, 0, 1]);
    expect((await fixture.call('POST', `${path}/approve`)).body).toMatchObject({ enabled: true });
    expect(await facts()).toEqual([0, 0, 0]);
  });
});

describe('a tool for one provider', () => {
  it('shows the rewritten definition and what changed', async () => {
    const inputSchema = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } };
    const fixture = await adminFixture({ listTools: async () => [{ ...echoTool, inputSchema }] });
    const { id } = await fixture.register();
    const [tool] = await fixture.tools(id);
    const path = `/v1/mcp-servers/${id}/tools/${tool?.id ?? ''}/adaptation`;
    expect((await fixture.call('GET', `${path}?provider=openai-strict`)).body).toMatchObject({
      provider: 'openai-strict',
      verdict: { verdict: 'rewritten', lossless: true },
      definition: { name: 'echo', inputSchema: { required: ['city', 'days'], additionalProperties: false } },
    });
    expect((await fixture.call('GET', `${path}?provider=openai`)).body).toMatchObject({
      verdict: { verdict: 'ok' },
      definition: { inputSchema },
    });
    expect((await fixture.call('GET', `${path}?provider=nobody`)).status).toBe(422);
  });
});

describe('tools by their state', () => {
  it('finds those that wait for approval, and those that are disabled', async () => {
    const state = { description: 'Says it back' };
    const other = { ...echoTool, name: 'other' };
    const fixture = await adminFixture({ listTools: async () => [{ ...echoTool, ...state }, other] });
    const { id } = await fixture.register();
    const named = async (query: string): Promise<readonly string[]> =>
      ((await fixture.call('GET', `/v1/tools?state=${query}`)).body as ToolView[]).map((tool) => tool.upstream_name);
    expect([await named('offered'), await named('held'), await named('disabled')]).toEqual([['echo', 'other'], [], []]);
    state.description = 'Says it back, and sends it to me';
    await fixture.call('POST', `/v1/mcp-servers/${id}/sync`);
    const [, second] = await fixture.tools(id);
    await fixture.call('PATCH', `/v1/mcp-servers/${id}/tools/${second?.id ?? ''}`, { enabled: false });
    expect([await named('offered'), await named('held'), await named('disabled')]).toEqual([[], ['echo'], ['other']]);
  });
});
