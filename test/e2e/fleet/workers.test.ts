import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FakeServer, rawHttpClient } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { rememberKey } from '../../support/hub-keys.js';
import { officialClientsAt } from '../../support/official-clients.js';
import { ended, ownerKey, run, start, temporaryDirectory, until } from '../cli-process.js';

const POLL = { timeout: 60_000, interval: 100 };
const TINY = fileURLToPath(new URL('../../support/tiny-stdio-server.mjs', import.meta.url));

const childrenOf = async (pid: number | undefined): Promise<readonly number[]> => {
  const { stdout } = await promisify(execFile)('pgrep', ['-P', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').filter(Boolean).map(Number);
};

describe('serve --workers 2', () => {
  it(
    'serves sessions, programs and every client from two processes, and replaces one that is killed',
    { timeout: 300_000 },
    async () => {
      const far = new FakeServer({ tools: ['echo'] });
      onTestFinished(() => far.close());
      const home = await temporaryDirectory();
      const parent = start(['serve', '--port', '0', '--workers', '2'], { home });
      parent.stdin?.end();
      parent.stderr?.resume();
      const [url] = await until(parent, /http:\/\/[\d.]+:\d+/u);
      rememberKey(url, await ownerKey(home));
      await expect.poll(async () => (await childrenOf(parent.pid)).length, POLL).toBe(2);
      const notes = join(home, 'notes');
      const servers = {
        far: { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url },
        tiny: { mcp_server_type: 'stdio', command: process.execPath, args: [TINY, 'legacy', notes] },
      };
      for (const [server_name, config] of Object.entries(servers)) {
        expect((await hubCall(url, 'POST', '/v1/mcp-servers', { server_name, config })).status).toBe(200);
      }
      expect((await run(['list', '--json'], { home })).stdout).toContain('"tiny"');

      // Calls at the same time use several connections, which the workers share.
      const client = rawHttpClient(`${url}/servers/far/mcp`);
      await client.initialize();
      const texts = (part: string) => Array.from({ length: 24 }, (_none, index) => `${part} ${index}`);
      const echo = async (text: string) => {
        const answer = await client.request('tools/call', { name: 'echo', arguments: { text } });
        return JSON.stringify(answer).includes(text) ? text : answer;
      };
      // Also at the worker that did not register it.
      expect(await Promise.all(texts('warm').map(echo))).toEqual(texts('warm'));
      const note = (key: string) => hubCall(url, 'POST', '/servers/tiny/tools/note', { key });
      const noted = await Promise.all(texts('note').map(note));
      expect(new Set(noted.map(({ status }) => status))).toEqual(new Set([200]));
      const pids = async () =>
        (await readFile(notes, 'utf8'))
          .trim()
          .split('\n')
          .map((line) => line.split(' ')[0]);
      expect(new Set(await pids()).size).toBe(1);
      expect(await pids()).toHaveLength(24);

      // Every official client, in both eras.
      for (const official of await officialClientsAt(`${url}/mcp`)) {
        await using each = official;
        expect(JSON.stringify(await each.ask('tools/list'))).toContain('far__echo');
        const called = await Promise.all(
          texts(each.name).map((text) => each.ask('tools/call', { name: 'far__echo', arguments: { text } })),
        );
        expect(called.map((answer, index) => JSON.stringify(answer).includes(`${each.name} ${index}`))).not.toContain(
          false,
        );
      }

      // One is killed: the session goes on, and another worker takes its place.
      const before = await childrenOf(parent.pid);
      process.kill(before[0] ?? 0, 'SIGKILL');
      await expect.poll(() => echo('after').catch(() => undefined), POLL).toBe('after');
      await expect
        .poll(async () => (await childrenOf(parent.pid)).filter((pid) => !before.includes(pid)).length, POLL)
        .toBe(1);
      parent.kill('SIGTERM');
      expect(await ended(parent)).toBe(0);
      await expect.poll(() => before.filter((pid) => isAlive(pid)), POLL).toEqual([]);
    },
  );

  it('answers a change when all workers know it', { timeout: 300_000 }, async () => {
    const home = await temporaryDirectory();
    const parent = start(['serve', '--port', '0', '--workers', '3'], { home });
    parent.stdin?.end();
    parent.stderr?.resume();
    const [url] = await until(parent, /http:\/\/[\d.]+:\d+/u);
    const owner = await ownerKey(home);
    rememberKey(url, owner);
    await expect.poll(async () => (await childrenOf(parent.pid)).length, POLL).toBe(3);
    // A new connection goes to the next worker.
    const ask = async (path: string, key: string, body?: object, method = body === undefined ? 'GET' : 'POST') => {
      const answer = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, connection: 'close', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, json: JSON.parse(text || '{}') as Record<string, string> };
    };
    const far = new FakeServer({ tools: ['echo'] });
    onTestFinished(() => far.close());
    const config = { mcp_server_type: 'streamable_http', server_url: (await far.listenHttp()).url };
    const atAll = (name: string, key: string) =>
      Promise.all(
        Array.from({ length: 6 }, async () => (await ask(`/servers/${name}/tools/echo`, key, { text: 'x' })).status),
      );
    await expect.poll(() => atAll('none', owner), POLL).toEqual(Array(6).fill(404));
    for (const name of ['one', 'two', 'three']) {
      const server = await ask('/v1/mcp-servers', owner, { server_name: name, config });
      expect(await atAll(name, owner)).toEqual(Array(6).fill(200));
      const { id = '', key = '' } = (await ask('/v1/keys', owner, { name, role: 'admin' })).json;
      expect(await atAll(name, key)).toEqual(Array(6).fill(200));
      expect((await ask(`/v1/keys/${id}`, owner, undefined, 'DELETE')).status).toBe(200);
      expect(await atAll(name, key)).toEqual(Array(6).fill(401));
      await ask(`/v1/mcp-servers/${server.json['id']}`, owner, undefined, 'DELETE');
      expect(await atAll(name, owner)).toEqual(Array(6).fill(404));
    }
    parent.kill('SIGTERM');
    expect(await ended(parent)).toBe(0);
  });

  it('says what is wrong with the port, once, and ends', { timeout: 300_000 }, async () => {
    const far = new FakeServer({ tools: ['echo'] });
    onTestFinished(() => far.close());
    const { port } = new URL((await far.listenHttp()).url);
    const home = await temporaryDirectory();
    const { code, stderr } = await run(['serve', '--port', port, '--workers', '2'], { home });
    expect(code).not.toBe(0);
    expect(stderr.match(/already in use/gu)).toHaveLength(1);
  });

  it('refuses what is no number of workers', async () => {
    const { code, stderr } = await run(['serve', '--workers', 'many'], { home: await temporaryDirectory() });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('auto or a number') as string });
  });
});

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
