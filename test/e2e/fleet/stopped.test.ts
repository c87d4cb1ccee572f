import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { temporaryDirectory } from '../cli-process.js';
import type { HubProcess } from '../hub-process.js';
import { startReplicas } from './replicas.js';

const POLL = { timeout: 60_000, interval: 200 };
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));
const HOUR_MS = 3_600_000;

const parentOf = async (pid: number): Promise<number> =>
  Number((await promisify(execFile)('ps', ['-o', 'ppid=', '-p', String(pid)])).stdout);

const codeOf = ({ status, json }: { readonly status: number; readonly json: unknown }): string =>
  status === 200 ? 'done' : (/"code":"([A-Z_]+)"/u.exec(JSON.stringify(json))?.[1] ?? String(status));

describe('a replica that is stopped but not dead', () => {
  it(
    'holds no call for ever, and what went elsewhere is not executed when it wakes',
    { timeout: 300_000 },
    async () => {
      const { hubs, endedBySelf } = await startReplicas(2);
      const [one, two] = hubs as [HubProcess, HubProcess];
      const notes = join(await temporaryDirectory(), 'notes');
      const config = { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy', notes] };
      expect((await hubCall(one.url, 'POST', '/v1/mcp-servers', { server_name: 'tiny', config })).status).toBe(200);
      const note = async (hub: HubProcess, args: object) =>
        codeOf(await hubCall(hub.url, 'POST', '/servers/tiny/tools/note', args));
      const noted = async () =>
        (await readFile(notes, 'utf8'))
          .trim()
          .split('\n')
          .map((line) => line.split(' ') as [string, string]);
      for (const hub of hubs) await expect.poll(() => note(hub, { key: `first.${hub.pid}` }), POLL).toBe('done');
      const [[program] = ['']] = await noted();
      const ownerPid = await parentOf(Number(program));
      const [owner, other] = ownerPid === one.pid ? [one, two] : [two, one];
      expect(owner.pid).toBe(ownerPid);

      const slow = note(other, { key: 'slow.', ms: HOUR_MS });
      await expect.poll(async () => (await noted()).map(([, key]) => key), POLL).toContain('slow.');
      const keys = Array.from({ length: 24 }, (_none, index) => `during.${index}`);
      // The calls right before the stop keep the fast path between the processes in use.
      await Promise.all(keys.slice(0, 8).map((key) => note(other, { key: `warm.${key}` })));
      process.kill(owner.pid, 'SIGSTOP');
      onTestFinished(() => void process.kill(owner.pid, 'SIGCONT'));
      const during = await Promise.all(keys.map((key) => note(other, { key })));
      expect(await slow).toBe('AMBIGUOUS_DELIVERY');
      expect(['done', 'AMBIGUOUS_DELIVERY', 'UPSTREAM_UNAVAILABLE']).toEqual(expect.arrayContaining(during));
      // The lease expires, and the other one goes on.
      await expect.poll(() => note(other, { key: `after.${performance.now()}` }), POLL).toBe('done');

      process.kill(owner.pid, 'SIGCONT');
      await expect.poll(() => note(owner, { key: `again.${performance.now()}` }), POLL).toBe('done');
      const seen = (await noted()).map(([, key]) => key);
      expect(seen).toHaveLength(new Set(seen).size);
      expect(seen).toEqual(expect.arrayContaining(keys.filter((_key, index) => during[index] === 'done')));
      expect(endedBySelf()).toEqual([]);
    },
  );
});
