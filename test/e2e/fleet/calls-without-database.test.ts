import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FakeServer, rawHttpClient } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { startStatementCounter } from '../../support/statement-counter.js';
import { startReplicas } from './replicas.js';

const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));
const POLL = { timeout: 60_000, interval: 200 };
const CALLS = 120;
const AT_ONCE = 8;
const QUIET_MS = 1000;

const repeat = async (call: () => Promise<number>): Promise<void> => {
  let left = CALLS;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      expect(await call()).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
};

it('executes no statement for a call, of any era, at any replica, to HTTP servers and programs', async () => {
  const { databaseUrl, start } = await startReplicas(0);
  const counter = await startStatementCounter(databaseUrl);
  onTestFinished(() => counter[Symbol.asyncDispose]());
  const far = new FakeServer({ tools: ['echo'] });
  onTestFinished(() => far.close());
  const own = { PLUGBOARD_DATABASE_URL: counter.url };
  const [one, two] = [await start(undefined, own), await start(undefined, own)];
  const servers = {
    far: { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url },
    near: { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy'] },
  };
  for (const [server_name, config] of Object.entries(servers)) {
    expect((await hubCall(one.url, 'POST', '/v1/mcp-servers', { server_name, config })).status).toBe(200);
  }
  const legacy = rawHttpClient(`${one.url}/servers/far/mcp`);
  await legacy.initialize();
  const moved = rawHttpClient(`${two.url}/servers/far/mcp`);
  moved.sessionId = legacy.sessionId;
  const modern = rawHttpClient(`${one.url}/servers/far/mcp`, { era: 'modern' });
  const echo = { name: 'echo', arguments: { text: 'x' } };
  const plain = (url: string, path: string, args: object) => async () =>
    (await hubCall(url, 'POST', path, args)).status;
  const ways = {
    'plain, to a server over HTTP': plain(one.url, '/servers/far/tools/echo', { text: 'x' }),
    'plain, to a program': plain(one.url, '/servers/near/tools/note', { key: 'x' }),
    'plain, to a program of the other replica': plain(two.url, '/servers/near/tools/note', { key: 'x' }),
    'in a session': async () => (await legacy.request('tools/call', echo)).status,
    'in a session of the other replica': async () => (await moved.request('tools/call', echo)).status,
    'of the modern era': async () => (await modern.request('tools/call', echo)).status,
  };
  // The first call opens the connection to the server.
  for (const [way, call] of Object.entries(ways)) await expect.poll(call, { ...POLL, message: way }).toBe(200);

  const measured = async (work: () => Promise<unknown>) => {
    const [before, began] = [counter.statements(), performance.now()];
    await work();
    return { statements: counter.statements() - before, seconds: (performance.now() - began) / 1000 };
  };
  // Heartbeats and leases go on with or without calls, and the audit trail writes its entries about once a second.
  const quiet = await measured(() => wait(QUIET_MS));
  expect(quiet.statements).toBeGreaterThan(0);
  for (const [way, call] of Object.entries(ways)) {
    // Where the machine stood still for a part of the time, what belongs to the calls cannot be told: then they are repeated.
    const ofCalls = async (): Promise<object> => {
      const quiet = await measured(() => wait(QUIET_MS));
      const busy = await measured(() => repeat(call));
      const ofTime = (quiet.statements * busy.seconds) / quiet.seconds;
      return { way, isOfCalls: busy.statements >= 2 * ofTime + CALLS / 4 };
    };
    await expect.poll(ofCalls, POLL).toEqual({ way, isOfCalls: false });
  }
});
