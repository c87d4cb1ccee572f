import { fakeServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, ApiKeyCreated, ServerView, Toolset } from '../../../../packages/contract/src/index.js';
import { DEFAULTS } from '../../../../packages/plugboard/src/settings/settings.js';
import { hubCall, hubCallWith } from '../../../support/hub-call.js';
import { type RealHub, startRealHub } from '../../../support/real-hub.js';
import { type Caller, RUN_ROUTE, RUN_WAY, type Way, WAYS } from './ways.js';

let hub: RealHub;
let server: FakeServer;
let serverId: string;
let toolsetId: string;

/** Each case has a tool of its own. */
const CASES = [...WAYS.filter(({ title }) => !/once more|in bytes/u.test(title)), RUN_WAY].flatMap((way) =>
  ['', '/servers/files', '/toolsets/renamed', RUN_ROUTE]
    .filter((place) => way.isAt(place) && way.title !== 'call_tool')
    .map((place, index) => ({ way, place, tool: `tool_${way.title.replaceAll(/\W+/gu, '_')}_${index}` })),
);

const nameAt = (place: string, tool: string): string => {
  if (place === '/toolsets/renamed') return `other_${tool}`;
  return place === '' ? `files__${tool}` : tool;
};

beforeAll(async () => {
  const result = { content: [{ type: 'text', text: 'x'.repeat(5000) }] };
  server = fakeServer({
    tools: [
      ...CASES.map(({ tool }) => ({ name: tool, result: 'done' })),
      { name: 'big', result },
      { name: 'spare', result: '' },
      { name: 'unused', result: '' },
    ],
  });
  hub = await startRealHub({
    settings: {
      guard: {
        ...DEFAULTS.guard,
        maxArgumentBytes: 2048,
        maxResultBytes: 4096,
        // One call of a tool or a caller, and the next after a minute.
        limits: { tool: { perMinute: 1 }, caller: { perMinute: 1 } },
      },
    },
  });
  const config = { mcp_server_type: 'streamable_http', server_url: (await server.listenHttp()).url };
  serverId = ((await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'files', config })).json as ServerView)
    .id;
  const entries = CASES.map(({ tool }) => ({ server_id: serverId, upstream_name: tool, name: `other_${tool}` }));
  toolsetId = ((await hubCall(hub.url, 'POST', '/v1/toolsets', { name: 'renamed', entries })).json as Toolset).id;
});
afterAll(async () => {
  await hub.close();
  await server.close();
});

let made = 0;
const newCaller = async (): Promise<Caller> => {
  made += 1;
  const rights = { name: `caller-${made}`, server_ids: [serverId], toolset_ids: [toolsetId] };
  const { id } = (await hubCall(hub.url, 'POST', '/v1/agents', rights)).json as Agent;
  const { key } = (await hubCall(hub.url, 'POST', '/v1/keys', { name: `caller-${made}`, agent_id: id }))
    .json as ApiKeyCreated;
  return { hub: hub.url, key, agentId: id };
};

const callAt = (way: Way, caller: Caller, place: string, tool: string): Promise<boolean> =>
  way.call(caller, place, [{ name: nameAt(place, tool), args: {} }]);

const sum = (): number => CASES.reduce((total, { tool }) => total + server.counters.executed(tool), 0);

describe.each(CASES.map(({ way, place, tool }) => [way.title, place, { way, place, tool }] as const))(
  'calls over %s at "%s"',
  (_way, _place, { way, place, tool }) => {
    it('count for the limit of the tool, and of the caller, together with all others', async () => {
      const [first, second] = [await newCaller(), await newCaller()];
      await callAt(way, first, place, tool);
      expect(server.counters.executed(tool)).toBe(1);
      // The same tool under its other names, for somebody else, too.
      const ask = hubCallWith(hub.url, second.key);
      expect((await ask('POST', `/servers/files/tools/${tool}`, {})).status).toBe(429);
      expect((await ask('POST', `/toolsets/renamed/tools/other_${tool}`, {})).status).toBe(429);
      await callAt(way, second, place, tool);
      expect(server.counters.executed(tool)).toBe(1);
    });
  },
);

it('a caller that used its calls up at one endpoint gets none at any other', async () => {
  const caller = await newCaller();
  const ask = hubCallWith(hub.url, caller.key);
  expect((await ask('POST', '/servers/files/tools/spare', {})).status).toBe(200);
  const before = sum();
  for (const { way, place, tool } of CASES) await callAt(way, caller, place, tool);
  expect(sum()).toBe(before);
});

it('the run route takes no larger arguments, and gives no larger results, than others', async () => {
  const run = async (tool: string, args: object) => {
    const { key, agentId } = await newCaller();
    return hubCallWith(hub.url, key)('POST', `/v1/agents/${agentId}/tools/${tool}/run`, { args });
  };
  const refused = await run('unused', { text: 'x'.repeat(3000) });
  expect(refused).toMatchObject({ status: 413, json: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
  const cut = await run('big', {});
  expect(cut.status).toBe(200);
  expect(JSON.stringify(cut.json)).toContain('bytes of text were cut off');
});
