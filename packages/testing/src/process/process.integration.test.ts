import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonRpcResponse } from '../json-rpc/message.js';
import { rawHttpClient } from '../raw/raw-http-client.js';
import { rawLineClient } from '../raw/raw-line-client.js';
import { readCounter, readCounterKeys } from '../stock/counter-tool.js';
import type { CrashPhase } from '../fault/fault.js';
import { fakeHttpServerCommand, fakeServerCommand, readProcessLog, type FakeCommand } from './command.js';

const textOf = (answer: JsonRpcResponse | undefined): string =>
  (answer?.result?.['content'] as { text: string }[] | undefined)?.[0]?.text ?? '';

let folder = '';
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plugboard-testing-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

const start = (
  { command, args, env }: FakeCommand,
  extra: readonly string[] = [],
  more: Record<string, string> = {},
) => {
  const child = spawn(command, [...args, ...extra], { env: { ...env, ...more }, stdio: 'pipe' });
  children.push(child);
  return child;
};

const urlOf = async (child: { readonly stderr: Readable }): Promise<string> => {
  let text = '';
  for await (const chunk of child.stderr) {
    text += String(chunk);
    const url = /listening on (\S+)\n/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`It ended with: ${text}`);
};

describe('a fake stdio server as a process', () => {
  const counted = (phase: CrashPhase) => ({
    tools: ['echo', { name: 'counter', handler: 'counter', settings: { file: join(folder, 'count') } }] as const,
    logFile: join(folder, 'log'),
    script: [{ on: 'tools/call', from: 2, to: 2, fault: { crash: phase } }],
  });

  test.each([
    ['before-read', 1, 1, false],
    ['after-read', 2, 1, false],
    ['while-working', 2, 2, false],
    ['after-result', 2, 2, true],
  ] as const)('dies %s', async (phase, received, executed, answered) => {
    const child = start(fakeServerCommand(counted(phase)));
    const client = rawLineClient(child);
    await client.initialize();
    const exit = once(child, 'exit');
    await client.request('tools/call', { name: 'counter', arguments: { key: 'first' } });
    const second = await client.request('tools/call', { name: 'counter', arguments: { key: 'second' } });
    expect(second !== undefined).toBe(answered);
    expect(await exit).toEqual([null, 'SIGKILL']);
    expect(readCounter(join(folder, 'count'))).toBe(executed);
    expect(readCounterKeys(join(folder, 'count'))[0]).toBe('first');
    const log = readProcessLog(join(folder, 'log'));
    expect(log.filter(({ method }) => method === 'tools/call')).toHaveLength(received);
    expect(log[0]).toMatchObject({ method: 'initialize', pid: child.pid, transport: 'stdio' });
  });

  test('leaves when its input ends', async () => {
    const child = start(fakeServerCommand());
    await rawLineClient(child).initialize();
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('can refuse to leave, be late, be talkative, and end at once', async () => {
    const stubborn = start(fakeServerCommand({ ignoreStdinEnd: true, ignoreSigterm: true, startDelayMs: 1 }));
    const client = rawLineClient(stubborn);
    await client.initialize();
    stubborn.stdin.end();
    stubborn.kill('SIGTERM');
    expect(
      await Promise.race([once(stubborn, 'exit'), new Promise((resolve) => setTimeout(resolve, 150, 'alive'))]),
    ).toBe('alive');
    const failing = start(fakeServerCommand({ exitAtStart: 3, stderr: 'no configuration\n' }));
    const said = failing.stderr.toArray();
    expect(await once(failing, 'exit')).toEqual([3, null]);
    expect(String(await said)).toBe('no configuration\n');
  });

  test('writes as it was told: banner, noise, CRLF, pieces, a long line', async () => {
    const child = start(
      fakeServerCommand({
        tools: ['big'],
        style: { banner: ['Fake server v1', ''], noise: 'debug: something', lineEnding: '\r\n', splitBytes: 65_537 },
      }),
    );
    const client = rawLineClient(child);
    await client.initialize();
    const answer = await client.request('tools/call', { name: 'big', arguments: { bytes: 8 * 1024 * 1024 } });
    const text = textOf(answer);
    expect(Buffer.byteLength(text)).toBe(8 * 1024 * 1024);
    expect(/^é+$/.test(text)).toBe(true);
  });

  test('gives its environment, its id, its stderr and its memory to its tools', async () => {
    const child = start(fakeServerCommand({ tools: ['env', 'pid', 'stderr', 'allocate', 'crash'] }), [], {
      SECRET: 's3',
    });
    const stderr = child.stderr.toArray();
    const client = rawLineClient(child);
    await client.initialize();
    const call = async (name: string, args: object = {}): Promise<string> =>
      textOf(await client.request('tools/call', { name, arguments: args }));
    expect(await call('env', { name: 'SECRET' })).toBe('s3');
    expect(JSON.parse(await call('env'))).toMatchObject({ SECRET: 's3' });
    expect(await call('pid')).toBe(String(child.pid));
    expect(await call('stderr', { text: 'begin', bytes: 200_000 })).toBe('written');
    expect(await call('allocate', { megabytes: 2 })).toBe('2');
    const exit = once(child, 'exit');
    client.send('tools/call', { name: 'crash' });
    expect(await exit).toEqual([null, 'SIGKILL']);
    expect(Buffer.concat((await stderr) as Buffer[]).toString()).toMatch(/^begin/);
  });

  test.each(['letta-mock', 'letta-mock-no-tools', 'many-tools', 'social-network'] as const)(
    'offers %s',
    async (fixture) => {
      const client = rawLineClient(start(fakeServerCommand({ fixture })));
      await client.initialize();
      const answer = await client.request('tools/list');
      expect(answer?.result?.['tools']).toHaveLength(
        { 'letta-mock': 9, 'letta-mock-no-tools': 0, 'many-tools': 43, 'social-network': 3 }[fixture],
      );
    },
  );
});

describe('a fake HTTP server as a process', () => {
  test('listens where the options, the flag or the environment say', async () => {
    const first = start(fakeHttpServerCommand({ tools: ['pid'] }));
    const port = Number(new URL(await urlOf(first)).port);
    expect(port).toBeGreaterThan(0);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const second = start(fakeHttpServerCommand({ port }));
    expect(await urlOf(second)).toContain(`:${port}/mcp`);
    second.kill('SIGTERM');
    expect(await once(second, 'exit')).toEqual([0, null]);
    const third = start(fakeHttpServerCommand(), ['--port', String(port)]);
    expect(await urlOf(third)).toContain(`:${port}/mcp`);
    third.stdin.end();
    expect(await once(third, 'exit')).toEqual([0, null]);
    const byVariable = fakeHttpServerCommand({ portVariable: 'PORT', transport: 'sse', path: '/events' });
    expect(await urlOf(start(byVariable, [], { PORT: String(port) }))).toContain(`:${port}/events`);
  });

  test('needs no input to live', async () => {
    const { command, args } = fakeHttpServerCommand();
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    const client = rawHttpClient(await urlOf(child));
    expect((await client.initialize()).status).toBe(200);
  });

  test('dies in the middle of a call', async () => {
    const file = join(folder, 'count');
    const child = start(
      fakeHttpServerCommand({
        tools: [{ name: 'counter', handler: 'counter', settings: { file } }],
        script: [{ on: 'tools/call', fault: { crash: 'while-working' } }],
      }),
    );
    const client = rawHttpClient(await urlOf(child));
    await client.initialize();
    await expect(client.request('tools/call', { name: 'counter' })).rejects.toThrow(/fetch failed/);
    expect(readCounter(file)).toBe(1);
  });
});

describe('what cannot travel to a process', () => {
  test('functions and endless definitions', () => {
    expect(() => fakeServerCommand({ tools: [{ name: 'x', handler: () => 'y' }] })).toThrow(/cannot take functions/);
    expect(() => fakeServerCommand({ instructions: 'x'.repeat(200_000) })).toThrow(/too long/);
  });

  test('a log or a count that does not exist yet is empty', () => {
    expect(readProcessLog(join(folder, 'absent'))).toEqual([]);
    expect(readCounter(join(folder, 'absent'))).toBe(0);
  });
});
