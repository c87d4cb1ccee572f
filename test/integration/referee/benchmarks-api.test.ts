import { benchReport, type BenchRun } from '@plugboard/contract';
import { fakeServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownerFetch } from '../../support/hub-keys.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';

let hub: RealHub;
let server: FakeServer;

const call = async (method: string, path: string, body?: unknown): Promise<{ status: number; json: never }> => {
  const answer = await ownerFetch(hub.url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await answer.text();
  return { status: answer.status, json: (text === '' ? null : JSON.parse(text)) as never };
};

const start = async (body: object): Promise<BenchRun> => {
  const { status, json } = await call('POST', '/v1/benchmarks', body);
  expect([status, json]).toMatchObject([202, { id: expect.any(String) as unknown }]);
  return json;
};

const run = async (id: string): Promise<BenchRun> => (await call('GET', `/v1/benchmarks/${id}`)).json;

beforeAll(async () => {
  server = fakeServer({ tools: ['echo'] });
  const { url } = await server.listenHttp();
  hub = await startRealHub();
  const config = { mcp_server_type: 'streamable_http', server_url: url };
  const { status } = await call('POST', '/v1/mcp-servers', { server_name: 'echo', config });
  if (status !== 200) throw new Error(`The server was not registered: ${status}.`);
});
afterAll(async () => {
  await hub?.close();
  await server?.close();
});

it('measures a registered server, tells its figures meanwhile, and keeps the report', async () => {
  const { id } = await start({
    name: 'echo',
    tool: 'echo',
    arguments: { text: 'hi' },
    seconds: 2,
    rate: 20,
    concurrency: 2,
  });
  await expect.poll(async () => (await run(id)).phase, { timeout: 30_000 }).toBe('steady');
  expect(await run(id)).toMatchObject({ state: 'running', figures: { failed: 0 } });
  expect((await call('GET', `/v1/benchmarks/${id}/report`)).status).toBe(409);
  await expect.poll(async () => (await run(id)).state, { timeout: 30_000 }).toBe('finished');
  const ended = await run(id);
  expect(ended).toMatchObject({ outcome: 'passed', tool: 'echo', target: { label: 'echo' }, figures: { failed: 0 } });
  // Twenty calls per second for two seconds, however fast the server is.
  expect(ended.figures?.calls).toBeLessThanOrEqual(42);
  expect(ended.figures?.calls).toBeGreaterThan(0);
  const report = benchReport.parse((await call('GET', `/v1/benchmarks/${id}/report`)).json);
  expect(report.scenarios.map(({ scenario }) => scenario)).toEqual(['steady']);
  const html = await ownerFetch(`${hub.url}/v1/benchmarks/${id}/report?format=html`);
  expect(html.headers.get('content-security-policy')).toContain('sandbox');
  expect((await call('GET', '/v1/benchmarks')).json).toMatchObject([{ id, state: 'finished' }]);
  expect((await call('DELETE', `/v1/benchmarks/${id}`)).status).toBe(204);
  expect((await call('GET', `/v1/benchmarks/${id}`)).status).toBe(404);
});

it('is cancelled while it runs and while it waits, and then calls nothing more', async () => {
  const first = await start({ name: 'echo', tool: 'echo', seconds: 60, rate: 50 });
  const second = await start({ name: 'echo', tool: 'echo', seconds: 60, rate: 50 });
  await expect.poll(async () => (await run(first.id)).state, { timeout: 30_000 }).toBe('running');
  expect((await run(second.id)).state).toBe('queued');
  for (const { id } of [second, first]) {
    const { json } = await call('POST', `/v1/benchmarks/${id}/cancel`);
    expect(json).toMatchObject({ state: 'finished', outcome: 'not-examined', reason: 'The run was cancelled.' });
  }
});

it.each([
  [{ name: 'nobody' }, 404, 'SERVER_NOT_FOUND'],
  [{ name: 'echo', rate: 5000 }, 422, 'VALIDATION_FAILED'],
  [{ name: 'echo', seconds: 3600 }, 422, 'VALIDATION_FAILED'],
  [{ name: 'echo', concurrency: 1000 }, 422, 'VALIDATION_FAILED'],
  [{ url: 'http://127.0.0.1/', name: 'x' }, 422, 'VALIDATION_FAILED'],
])('refuses %j', async (body, status, code) => {
  const answer = await call('POST', '/v1/benchmarks', body);
  expect([answer.status, JSON.stringify(answer.json)]).toEqual([status, expect.stringContaining(code)]);
});

it('says why a tool that does not exist was not measured', async () => {
  const { id } = await start({ name: 'echo', tool: 'nothing', seconds: 1 });
  await expect.poll(async () => (await run(id)).state, { timeout: 30_000 }).toBe('finished');
  expect(await run(id)).toMatchObject({
    outcome: 'not-examined',
    reason: expect.stringContaining('"nothing"') as string,
  });
});
