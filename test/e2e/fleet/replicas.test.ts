import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FakeServer, rawHttpClient } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { temporaryDirectory } from '../cli-process.js';
import type { HubProcess } from '../hub-process.js';
import { createToolsetSoon, startReplicas } from './replicas.js';

const POLL = { timeout: 60_000, interval: 50 };
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));

const register = (hub: HubProcess, server_name: string, config: object) =>
  hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config });

const knows = async (hub: HubProcess, name: string): Promise<boolean> =>
  JSON.stringify((await hubCall(hub.url, 'GET', '/servers')).json).includes(`"${name}"`);

const [first, second, third] = [0, 1, 2];

describe('three replicas on one Postgres', () => {
  it('serve one session and one program, and go on when a replica is killed', { timeout: 300_000 }, async () => {
    const far = new FakeServer({ tools: ['echo'] });
    onTestFinished(() => far.close());
    const { hubs } = await startReplicas(3);
    const hub = (index: number): HubProcess => {
      const found = hubs[index];
      if (found === undefined) throw new Error(`there is no replica ${index}`);
      return found;
    };
    const notes = join(await temporaryDirectory(), 'notes');
    await register(hub(first), 'far', { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url });
    await register(hub(first), 'tiny', {
      mcp_server_type: 'stdio',
      command: process.execPath,
      args: [TINY, 'legacy', notes],
    });
    for (const each of hubs) await expect.poll(() => knows(each, 'tiny'), POLL).toBe(true);

    // A session is opened at one replica and used at every other one.
    const client = rawHttpClient(`${hub(first).url}/servers/far/mcp`);
    await client.initialize();
    const at = (index: number) => {
      const other = rawHttpClient(`${hub(index).url}/servers/far/mcp`);
      other.sessionId = client.sessionId;
      return other;
    };
    const echo = async (index: number, text: string) => {
      const answer = await at(index).request('tools/call', { name: 'echo', arguments: { text } });
      return [answer.status, JSON.stringify(answer).includes(text)];
    };
    await expect.poll(() => echo(second, 'from the second'), POLL).toEqual([200, true]);
    await expect.poll(() => echo(third, 'from the third'), POLL).toEqual([200, true]);

    // One process runs the program for all requests outside a session.
    const note = async (index: number, key: string) =>
      (await hubCall(hub(index).url, 'POST', '/servers/tiny/tools/note', { key })).status;
    const callers = [second, third, first, second];
    for (const [turn, index] of callers.entries()) expect(await note(index, `k${turn}`)).toBe(200);
    const pids = async () =>
      (await readFile(notes, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]);
    expect(new Set(await pids()).size).toBe(1);

    // The replica that has both is killed: the others continue.
    await hub(second).kill();
    await hub(first).kill();
    expect(await echo(third, 'still there')).toEqual([200, true]);
    expect(await note(third, 'last')).toBe(200);
    expect(new Set(await pids()).size).toBe(2);
    expect(await pids()).toHaveLength(5);
  });

  it(
    'serve calls while Postgres is stopped, refuse changes, and agree when it is back',
    { timeout: 300_000 },
    async () => {
      const far = new FakeServer({ tools: ['echo'] });
      onTestFinished(() => far.close());
      const { postgres, hubs } = await startReplicas(2);
      const [one, other] = hubs;
      if (one === undefined || other === undefined) throw new Error('there are no replicas');
      await register(one, 'far', { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url });
      await expect.poll(() => knows(other, 'far'), POLL).toBe(true);
      const echo = async (hub: HubProcess) =>
        (await hubCall(hub.url, 'POST', '/servers/far/tools/echo', { text: 'x' })).status;
      const client = rawHttpClient(`${one.url}/servers/far/mcp`);
      await client.initialize();
      for (const hub of hubs) expect(await echo(hub)).toBe(200);

      await postgres.stop();
      for (const hub of [...hubs, ...hubs]) expect(await echo(hub)).toBe(200);
      expect((await client.request('tools/call', { name: 'echo', arguments: { text: 'x' } })).status).toBe(200);
      const refused = await hubCall(one.url, 'POST', '/v1/toolsets', { name: 'late' });
      expect([refused.status, JSON.stringify(refused.json)]).toEqual([
        503,
        expect.stringContaining('STORE_UNAVAILABLE'),
      ]);

      await postgres.start();
      await createToolsetSoon(one, 'late');
      const names = async () => JSON.stringify((await hubCall(other.url, 'GET', '/v1/toolsets')).json);
      await expect.poll(names, POLL).toContain('"late"');
    },
  );
});
