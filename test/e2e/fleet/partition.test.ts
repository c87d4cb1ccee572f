import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FakeServer, rawHttpClient } from '@plugboard/testing';
import { FaultBoard, openTcpRelay } from '@plugboard/testing/fault-proxy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { temporaryDirectory } from '../cli-process.js';
import type { HubProcess } from '../hub-process.js';
import { createToolsetSoon, startReplicas } from './replicas.js';

const POLL = { timeout: 60_000, interval: 200 };
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));
const SKEWED = pathToFileURL(fileURLToPath(new URL('../../support/skewed-clock.mjs', import.meta.url))).href;
const HOUR_MS = 3_600_000;

const call = async (hub: HubProcess, server: string, tool: string, args: object): Promise<number> =>
  (await hubCall(hub.url, 'POST', `/servers/${server}/tools/${tool}`, args)).status;

const createToolset = async (hub: HubProcess, name: string): Promise<readonly [number, string]> => {
  const { status, json } = await hubCall(hub.url, 'POST', '/v1/toolsets', { name });
  return [status, JSON.stringify(json)];
};

const toolsetsAt = async (hub: HubProcess): Promise<string> =>
  JSON.stringify((await hubCall(hub.url, 'GET', '/v1/toolsets')).json);

describe('a replica whose clock is wrong and whose way to Postgres breaks', () => {
  it(
    'serves what it knows, refuses changes, executes nothing twice, and catches up',
    { timeout: 300_000 },
    async () => {
      const far = new FakeServer({ tools: ['echo'] });
      onTestFinished(() => far.close());
      const { databaseUrl, hubs, start, endedBySelf } = await startReplicas(1);
      const [near] = hubs;
      if (near === undefined) throw new Error('there is no replica');
      const board = new FaultBoard();
      const target = new URL(databaseUrl);
      const relay = await openTcpRelay({ board, target: { host: target.hostname, port: Number(target.port) } });
      onTestFinished(() => relay.close());
      const through = new URL(databaseUrl);
      through.port = String(relay.port);
      const cut = await start(undefined, {
        PLUGBOARD_DATABASE_URL: through.href,
        NODE_OPTIONS: `--import ${SKEWED}`,
        CLOCK_SKEW_MS: String(HOUR_MS),
      });
      const notes = join(await temporaryDirectory(), 'notes');
      const servers = {
        far: { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url },
        tiny: { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy', notes] },
      };
      for (const [server_name, config] of Object.entries(servers)) {
        expect((await hubCall(near.url, 'POST', '/v1/mcp-servers', { server_name, config })).status).toBe(200);
      }
      await expect.poll(() => call(cut, 'tiny', 'note', { key: 'first.' }), POLL).toBe(200);
      await expect.poll(() => call(cut, 'far', 'echo', { text: 'x' }), POLL).toBe(200);
      // A session of the replica with the wrong clock is served by the other one, and the other way round.
      const client = rawHttpClient(`${cut.url}/servers/far/mcp`);
      await client.initialize();
      const elsewhere = rawHttpClient(`${near.url}/servers/far/mcp`);
      elsewhere.sessionId = client.sessionId;
      const echo = async (from: typeof client) =>
        (await from.request('tools/call', { name: 'echo', arguments: { text: 'x' } })).status;
      await expect.poll(() => echo(elsewhere), POLL).toBe(200);

      // Slow: every answer of Postgres takes 200 ms more.
      board.arm([{ kind: 'latency', ms: 200 }]);
      expect(await call(cut, 'far', 'echo', { text: 'x' })).toBe(200);
      await createToolsetSoon(cut, 'slow');
      await expect.poll(() => toolsetsAt(near), POLL).toContain('"slow"');

      // Cut off: nothing passes, and nothing is closed.
      board.arm([{ kind: 'blackhole', phase: 'request' }]);
      const outcomes: number[] = [];
      const keys = ['a.', 'b.', 'c.', 'd.'];
      const [refused] = await Promise.all([
        createToolset(cut, 'lost'),
        (async () => {
          for (const key of keys) {
            expect(await call(cut, 'far', 'echo', { text: 'x' })).toBe(200);
            outcomes.push(await call(near, 'tiny', 'note', { key }));
          }
        })(),
      ]);
      expect(refused).toEqual([503, expect.stringContaining('STORE_UNAVAILABLE')]);
      expect(refused[1]).toContain('"retry_after_ms":1000');
      expect(await echo(client)).toBe(200);
      // The transaction that was cut off kept the others from writing for some seconds at most.
      await createToolsetSoon(near, 'meanwhile');

      // Back: it knows what changed, and accepts changes.
      board.arm([]);
      await expect.poll(() => toolsetsAt(cut), POLL).toContain('"meanwhile"');
      await createToolsetSoon(cut, 'later');
      await expect.poll(() => toolsetsAt(near), POLL).toContain('"later"');
      expect(await toolsetsAt(near)).not.toContain('"lost"');
      await expect.poll(() => call(cut, 'tiny', 'note', { key: 'last.' }), POLL).toBe(200);
      const noted = (await readFile(notes, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[1]);
      expect(new Set(noted).size).toBe(noted.length);
      const acknowledged = keys.filter((_key, index) => outcomes[index] === 200);
      expect(noted).toEqual(expect.arrayContaining(['first.', ...acknowledged, 'last.']));
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(endedBySelf()).toEqual([]);
    },
  );
});
