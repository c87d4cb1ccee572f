import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FakeServer, rawHttpClient } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { temporaryDirectory } from '../cli-process.js';
import type { HubProcess } from '../hub-process.js';
import { startReplicas } from './replicas.js';
import { startFloatingAddress, startStandby } from './standby.js';

const POLL = { timeout: 60_000, interval: 200 };
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));

const createToolset = async (hub: HubProcess, name: string): Promise<number> =>
  (await hubCall(hub.url, 'POST', '/v1/toolsets', { name })).status;

const toolsetsAt = async (hub: HubProcess): Promise<readonly string[]> => {
  const { json } = await hubCall(hub.url, 'GET', '/v1/toolsets?limit=500');
  return (json as { name: string }[]).map(({ name }) => name);
};

/** Creates toolsets one after the other until it is told to stop; the names of those that were acknowledged. */
const keepCreating = async (hub: HubProcess, prefix: string, stop: AbortSignal): Promise<readonly string[]> => {
  const acknowledged: string[] = [];
  for (let turn = 0; !stop.aborted; turn += 1) {
    const name = `${prefix}-${turn}`;
    const status = await createToolset(hub, name);
    if (status < 300) acknowledged.push(name);
    else expect(status).toBe(503);
    await wait(20);
  }
  return acknowledged;
};

describe('two replicas whose Postgres is killed and replaced by its standby', () => {
  it('lose no change, serve calls meanwhile, and go on with sessions and programs', { timeout: 300_000 }, async () => {
    const far = new FakeServer({ tools: ['echo'] });
    onTestFinished(() => far.close());
    const { postgres, databaseUrl, start, endedBySelf } = await startReplicas(0);
    const standby = await startStandby(postgres);
    const address = await startFloatingAddress(Number(new URL(databaseUrl).port));
    const through = new URL(databaseUrl);
    through.port = String(address.port);
    const own = { PLUGBOARD_DATABASE_URL: through.href };
    const [one, other] = [await start(undefined, own), await start(undefined, own)];
    const notes = join(await temporaryDirectory(), 'notes');
    const servers = {
      far: { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url },
      tiny: { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy', notes] },
    };
    for (const [server_name, config] of Object.entries(servers)) {
      expect((await hubCall(one.url, 'POST', '/v1/mcp-servers', { server_name, config })).status).toBe(200);
    }
    const echo = async (hub: HubProcess): Promise<number> =>
      (await hubCall(hub.url, 'POST', '/servers/far/tools/echo', { text: 'x' })).status;
    const note = async (hub: HubProcess, key: string): Promise<number> =>
      (await hubCall(hub.url, 'POST', '/servers/tiny/tools/note', { key })).status;
    for (const hub of [one, other]) await expect.poll(() => echo(hub), POLL).toBe(200);
    expect(await note(other, 'first.')).toBe(200);
    const client = rawHttpClient(`${one.url}/servers/far/mcp`);
    await client.initialize();

    const stop = new AbortController();
    const writing = [one, other].map((hub, index) => keepCreating(hub, `set${index}`, stop.signal));
    await expect.poll(async () => (await toolsetsAt(one)).length, POLL).toBeGreaterThan(5);
    // Nobody answers at the address until it leads to the new primary.
    const promoting = standby.takeOver();
    for (const hub of [one, other, one, other]) expect(await echo(hub)).toBe(200);
    expect((await client.request('tools/call', { name: 'echo', arguments: { text: 'x' } })).status).toBe(200);
    await promoting;
    for (const hub of [one, other]) expect(await echo(hub)).toBe(200);
    address.leadTo(standby.port);

    // Changes are accepted again, at both, and each hears of those of the other.
    const late = async (hub: HubProcess, name: string) => {
      const status = await createToolset(hub, name);
      return status === 409 || status < 300;
    };
    await expect.poll(() => late(one, 'late-one'), POLL).toBe(true);
    await expect.poll(() => late(other, 'late-other'), POLL).toBe(true);
    stop.abort();
    const acknowledged = (await Promise.all(writing)).flat();
    expect(acknowledged.length).toBeGreaterThan(5);
    for (const hub of [one, other]) {
      await expect
        .poll(() => toolsetsAt(hub), POLL)
        .toEqual(expect.arrayContaining([...acknowledged, 'late-one', 'late-other']));
    }
    const stored = (await standby.query('fleet', 'select name from toolsets')) as { name: string }[];
    expect((await toolsetsAt(one)).toSorted()).toEqual(stored.map(({ name }) => name).toSorted());

    // The program has one owner, and the session goes on elsewhere after its replica was killed.
    await expect.poll(() => note(one, 'second.'), POLL).toBe(200);
    await one.kill();
    const elsewhere = rawHttpClient(`${other.url}/servers/far/mcp`);
    elsewhere.sessionId = client.sessionId;
    const goesOn = async () =>
      (await elsewhere.request('tools/call', { name: 'echo', arguments: { text: 'x' } })).status;
    await expect.poll(goesOn, POLL).toBe(200);
    await expect.poll(() => note(other, 'third.'), POLL).toBe(200);
    const noted = (await readFile(notes, 'utf8')).trim().split('\n');
    expect(noted.map((line) => line.split(' ')[1])).toEqual(['first.', 'second.', 'third.']);
    expect(endedBySelf()).toEqual([]);
  });
});
