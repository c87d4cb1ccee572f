import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { FakeServer, type JsonObject, rawHttpClient, taskServer } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listenSilently } from '../../../packages/registry/src/test-support/postgres.js';
import { hubCall } from '../../support/hub-call.js';
import { temporaryDirectory } from '../cli-process.js';
import type { HubProcess } from '../hub-process.js';
import { startBalancer } from './balancer.js';
import { startReplicas } from './replicas.js';

const POLL = { timeout: 60_000, interval: 200 };
const ADMIN_KEY = 'key-of-the-fleet-test-0123456789abcdef';
const HEADERS = { authorization: `Bearer ${ADMIN_KEY}` };
const FILE = { filename: 'a.txt' };
const PER_MINUTE = 60;
const BURST = 10;

interface Run {
  readonly id: string;
  readonly state: string;
  readonly outcome?: string;
  readonly reason?: string;
}

const settingsFile = async (): Promise<Readonly<Record<string, string>>> => {
  const path = join(await temporaryDirectory(), 'plugboard.json');
  const settings = {
    monitor: { enabled: true, intervalSeconds: 5 },
    guard: { limits: { tool: { perMinute: PER_MINUTE } } },
  };
  await writeFile(path, JSON.stringify(settings));
  return { PLUGBOARD_CONFIG: path, PLUGBOARD_ADMIN_KEY: ADMIN_KEY };
};

const get = async (hub: HubProcess, path: string): Promise<unknown> => (await hubCall(hub.url, 'GET', path)).json;

const taskClient = (hub: HubProcess, path: string) => {
  const capabilities = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const raw = rawHttpClient(hub.url + path, { era: 'modern', capabilities, headers: HEADERS });
  return async (method: string, params: JsonObject): Promise<unknown> => {
    const { response } = await raw.request(method, params);
    return response?.result ?? response?.error;
  };
};

const startRun = async (hub: HubProcess, url: string): Promise<string> => {
  const target = { name: 'x', url, tier: 'smoke' };
  const { status, json } = await hubCall(hub.url, 'POST', '/v1/checks', target);
  expect(status).toBe(202);
  return (json as Run).id;
};

describe('two replicas on one Postgres', () => {
  it('probe once, share limits, and show runs of the referee at both', { timeout: 300_000 }, async () => {
    const far = new FakeServer({ tools: ['echo'] });
    onTestFinished(() => far.close());
    const { url } = await far.listenHttp();
    const silent = await listenSilently();
    onTestFinished(() => void silent.server.close());
    const { postgres, hubs } = await startReplicas(2, await settingsFile());
    const [one, other] = hubs;
    if (one === undefined || other === undefined) throw new Error('there are no replicas');
    const slow = taskServer('legacy');
    onTestFinished(() => slow.close());
    const servers = { far: url, slow: (await slow.listenHttp()).url };
    for (const [server_name, server_url] of Object.entries(servers)) {
      const config = { mcp_server_type: 'streamable_http', server_url };
      expect((await hubCall(one.url, 'POST', '/v1/mcp-servers', { server_name, config })).status).toBe(200);
    }
    await expect.poll(async () => JSON.stringify(await get(other, '/servers')), POLL).toContain('"slow"');
    const echo = async (hub: HubProcess): Promise<number> =>
      (await hubCall(hub.url, 'POST', '/servers/far/tools/echo', { text: 'x' })).status;

    // All calls come to one replica: it may use more than half of the limit, and both together no more than all of it.
    await expect.poll(() => echo(other), POLL).toBe(200);
    const begun = performance.now();
    let admitted = 1;
    await expect
      .poll(async () => (admitted += (await echo(one)) === 200 ? 1 : 0), { ...POLL, interval: 20 })
      .toBeGreaterThan(BURST);
    const passedMs = performance.now() - begun;
    expect(admitted).toBeLessThanOrEqual((PER_MINUTE * passedMs) / 60_000 + 2 * BURST + 2);
    // The bucket fills up again while nobody calls.
    const level = async (): Promise<number> => {
      await echo(one);
      const found = await postgres.query('fleet', `select level from limit_buckets where subject like 'tool % echo'`);
      return Number((found as { level: string }[])[0]?.level);
    };
    await expect.poll(level, POLL).toBeLessThan(BURST * 1000);

    // A client over HTTP+SSE: its messages reach the replica that has its stream, wherever they come in.
    const balancer = await startBalancer(() => hubs.map((hub) => hub.url));
    const client = new Client({ name: 'sse', version: '1' });
    await client.connect(new SSEClientTransport(new URL(`${balancer.url}/sse`), { requestInit: { headers: HEADERS } }));
    for (let turn = 0; turn < 4; turn += 1) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('far__echo');
    }
    await client.close();

    // A task of a legacy server that asks its client: the replica that has its connection hears of every request.
    const asking = await taskClient(one, '/mcp')('tools/call', { name: 'slow__confirm_delete', arguments: FILE });
    const { taskId } = asking as { taskId: string };
    const ask = taskClient(other, '/mcp');
    await expect.poll(() => ask('tasks/get', { taskId }), POLL).toMatchObject({ taskId, status: 'input_required' });
    const inputResponses = { 'input-1': { action: 'accept', content: { confirm: true } } };
    await ask('tasks/update', { taskId, inputResponses });
    await expect
      .poll(() => ask('tasks/get', { taskId }), POLL)
      .toMatchObject({ taskId, status: 'completed', result: { content: [{ text: 'a.txt: true' }] } });

    // One of them probes; both show what it found.
    const probes = () => far.log.of('ping');
    await expect.poll(() => probes().length, POLL).toBeGreaterThan(1);
    // The token of the lease tells how often another one took over, as on a machine that stood still for too long.
    const [lease] = (await postgres.query('fleet', `select token from leases where name = 'leader'`)) as {
      token: string;
    }[];
    expect(new Set(probes().map(({ sessionId }) => sessionId)).size).toBeLessThanOrEqual(Number(lease?.token));
    for (const hub of hubs) {
      await expect
        .poll(() => get(hub, '/v1/monitor'), POLL)
        .toMatchObject({ servers: [{ state: 'up' }, { state: 'up' }] });
    }

    // A run is read at the other replica while it goes on and when it has ended.
    const done = await startRun(one, url);
    expect(await get(other, '/v1/checks')).toEqual(expect.arrayContaining([expect.objectContaining({ id: done })]));
    await expect.poll(() => get(other, `/v1/checks/${done}`), POLL).toMatchObject({ state: 'finished' });
    const hanging = await startRun(one, `http://127.0.0.1:${silent.port}/mcp`);
    await expect.poll(() => get(other, `/v1/checks/${hanging}`), POLL).toMatchObject({ state: 'running' });

    // Its replica is killed.
    await one.kill();
    await expect
      .poll(() => get(other, `/v1/checks/${hanging}`), POLL)
      .toMatchObject({ state: 'finished', outcome: 'incomplete', reason: expect.stringContaining('interrupted') });
    expect(await get(other, `/v1/checks/${done}/report`)).toMatchObject({ format: 'plugboard.check/1' });
  });
});
