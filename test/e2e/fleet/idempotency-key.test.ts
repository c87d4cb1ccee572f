import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeServer } from '@plugboard/testing';
import { hubCall } from '../../support/hub-call.js';
import { keyOf } from '../../support/hub-keys.js';
import { temporaryDirectory } from '../cli-process.js';
import { type HubProcess, startHubProcess } from '../hub-process.js';
import { startReplicas } from './replicas.js';

const POLL = { timeout: 60_000, interval: 200 };
const HOUR_MS = 3_600_000;
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));

/** A call with a key; what became of it in one word, or in one text. */
const send = async (
  hub: HubProcess,
  path: string,
  key: string,
  body: object,
  signal?: AbortSignal,
): Promise<string> => {
  const answer = await fetch(hub.url + path, {
    method: 'POST',
    signal: signal ?? null,
    headers: {
      authorization: `Bearer ${keyOf(hub.url)}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return answer.status === 200 ? text : (/"code":"([A-Z_]+)"/u.exec(text)?.[1] ?? String(answer.status));
};

const note = (hub: HubProcess, key: string, args: object): Promise<string> =>
  send(hub, '/servers/tiny/tools/note', key, args);

const register = async (hub: HubProcess): Promise<() => Promise<readonly string[]>> => {
  const notes = join(await temporaryDirectory(), 'notes');
  const config = { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy', notes] };
  expect((await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'tiny', config })).status).toBe(200);
  return async () =>
    (await readFile(notes, 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' ')[1] ?? '');
};

describe('requests with an idempotency key', () => {
  it(
    'are carried out once by three replicas, also when one is killed in the middle',
    { timeout: 300_000 },
    async () => {
      const { hubs } = await startReplicas(3);
      const [one, two, three] = hubs as [HubProcess, HubProcess, HubProcess];
      const noted = await register(one);

      // The same request at the same time at all of them: one carries it out, and in the end all get its result.
      for (const hub of hubs) {
        await expect.poll(() => note(hub, `warm-${hub.pid}`, { key: `warm-${hub.pid}.` }), POLL).toContain('noted');
      }
      const result = (hub: HubProcess) => note(hub, 'a', { key: 'a.' });
      const tries = await Promise.all([...hubs, ...hubs].map(result));
      expect(new Set(tries.filter((each) => !each.includes('noted a.')))).toEqual(
        new Set(tries.some((each) => each === 'IDEMPOTENCY_KEY_IN_USE') ? ['IDEMPOTENCY_KEY_IN_USE'] : []),
      );
      // An answer does not wait for more than a second until it is stored.
      for (const hub of hubs) await expect.poll(() => result(hub), POLL).toContain('"dev.plugboard/repeated":true');
      expect(await note(two, 'a', { key: 'other.' })).toBe('IDEMPOTENCY_KEY_REUSED');
      expect((await noted()).filter((key) => key === 'a.')).toHaveLength(1);

      // The admin API as well.
      const made = await send(one, '/v1/toolsets', 'b', { name: 'late' });
      await expect.poll(() => send(three, '/v1/toolsets', 'b', { name: 'late' }), POLL).toBe(made);
      expect(made).toContain('"name":"late"');

      // Nobody is asked twice: the replica that carries the call out is killed before it ends.
      const executor = async (): Promise<HubProcess | undefined> => {
        for (const hub of hubs) {
          const { json } = await hubCall(hub.url, 'GET', '/ready');
          if (((json as { processes?: { running: number } }).processes?.running ?? 0) > 0) return hub;
        }
        return undefined;
      };
      const owner = await executor();
      const others = hubs.filter((hub) => hub !== owner) as [HubProcess, HubProcess];
      const first = note(others[0], 'c', { key: 'c.', ms: HOUR_MS }).catch(() => 'gone');
      await expect.poll(noted, POLL).toContain('c.');
      // While a heartbeat is late, nobody knows whether its replica is still there.
      await expect.poll(() => note(others[1], 'c', { key: 'c.', ms: HOUR_MS }), POLL).toBe('IDEMPOTENCY_KEY_IN_USE');
      await owner?.kill();
      expect(['AMBIGUOUS_DELIVERY', 'gone']).toContain(await first);
      await expect.poll(() => note(others[1], 'c', { key: 'c.', ms: HOUR_MS }), POLL).toBe('AMBIGUOUS_DELIVERY');
      // What ended before is known to those that are left, and new requests are served.
      expect(await result(others[0])).toContain('"dev.plugboard/repeated":true');
      await expect.poll(() => note(others[1], 'd', { key: 'd.' }), POLL).toContain('noted d.');
      const keys = (await noted()).filter((key) => !key.startsWith('warm-'));
      expect(keys.toSorted()).toEqual(['a.', 'c.', 'd.']);
    },
  );

  it('are known to a hub that was killed and started again', { timeout: 300_000 }, async () => {
    const home = await temporaryDirectory();
    const executed: string[] = [];
    const far = new FakeServer({
      tools: [
        {
          name: 'count',
          handler: ({ key }) => {
            executed.push(String(key));
            return key === 'stuck'
              ? new Promise(() => undefined)
              : { content: [{ type: 'text', text: `n${String(key)}` }] };
          },
        },
      ],
    });
    onTestFinished(() => far.close());
    const before = await startHubProcess(home);
    const config = { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url };
    expect((await hubCall(before.url, 'POST', '/v1/mcp-servers', { server_name: 'far', config })).status).toBe(200);
    const count = (hub: HubProcess, key: string) => send(hub, '/servers/far/tools/count', key, { key });
    expect(await count(before, 'done')).toContain('ndone');
    await expect.poll(() => count(before, 'done'), POLL).toContain('"dev.plugboard/repeated":true');
    const stuck = count(before, 'stuck').catch(() => 'gone');
    await expect.poll(() => executed, POLL).toContain('stuck');
    await before.kill();
    expect(await stuck).toBe('gone');
    const after = await startHubProcess(home);
    expect(await count(after, 'done')).toContain('ndone');
    await expect.poll(() => count(after, 'stuck'), POLL).toBe('AMBIGUOUS_DELIVERY');
    expect(await count(after, 'new')).toContain('nnew');
    expect(executed).toEqual(['done', 'stuck', 'new']);
  });

  it('go on when their caller hangs up', { timeout: 300_000 }, async () => {
    const hub = await startHubProcess(await temporaryDirectory());
    const executed: string[] = [];
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    const far = new FakeServer({
      tools: [
        {
          name: 'count',
          handler: async ({ key }) => {
            executed.push(String(key));
            await isOver;
            return { content: [{ type: 'text', text: 'counted' }] };
          },
        },
      ],
    });
    onTestFinished(() => far.close());
    const config = { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url };
    expect((await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name: 'far', config })).status).toBe(200);
    const gone = new AbortController();
    const count = (signal?: AbortSignal) => send(hub, '/servers/far/tools/count', 'a', { key: 'a' }, signal);
    const asked = count(gone.signal).catch(() => 'gone');
    await expect.poll(() => executed, POLL).toEqual(['a']);
    gone.abort();
    expect(await asked).toBe('gone');
    expect(await count()).toBe('IDEMPOTENCY_KEY_IN_USE');
    end();
    await expect.poll(() => count(), POLL).toContain('counted');
    expect(executed).toEqual(['a']);
  });
});
