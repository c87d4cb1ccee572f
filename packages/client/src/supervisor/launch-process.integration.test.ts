import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlugboardError } from '@plugboard/contract';
import { launchProcess, type LaunchedProcess, type LaunchOptions } from './launch-process.js';
import { isAlive, testEnvironment } from './test-support/processes.js';
import { until } from './test-support/until.js';

const launch = (command: string, args: readonly string[] = [], options: LaunchOptions = {}): Promise<LaunchedProcess> =>
  launchProcess({ command, args, env: testEnvironment }, options);

const shell = (script: string, options?: LaunchOptions): Promise<LaunchedProcess> =>
  launch('sh', ['-c', script], options);

const firstLine = async (child: LaunchedProcess): Promise<string> => {
  for await (const chunk of child.stdout) return String(chunk).trim();
  return '';
};

const failureOf = (launching: Promise<LaunchedProcess>): Promise<PlugboardError> =>
  launching.then(
    () => Promise.reject(new Error('it started')),
    (thrown: unknown) => thrown as PlugboardError,
  );

describe('a launched process', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plugboard-launch-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('speaks over its streams and ends when its stdin is closed', async () => {
    const child = await launch('cat');
    child.stdin.write('hello\n');
    expect(await firstLine(child)).toBe('hello');
    await child.stop();
    expect(await child.exited).toMatchObject({ code: 0, signal: null, reason: 'stopped' });
  });

  it('reports how it ended, with the last lines of stderr', async () => {
    const child = await shell('echo one >&2; echo token-1234 >&2; exit 3', { secrets: ['token-1234'] });
    expect(await child.exited).toEqual({
      code: 3,
      signal: null,
      inputUnread: false,
      reason: 'exited',
      stderrTail: ['one', '[redacted]'],
    });
    await child.stop();
  });

  it('gets its arguments verbatim and exactly the environment it was given', async () => {
    const args = ['$(touch pwned)', '; exit 9', '*', 'a b', '"', "'"];
    const script = 'process.stdout.write(JSON.stringify([process.argv.slice(1), process.env]))';
    const child = await launchProcess({
      command: process.execPath,
      args: ['-e', script, '--', ...args],
      env: { ONLY: 'this' },
      cwd: directory,
    });
    const [seen, env] = JSON.parse(await text(child.stdout)) as [string[], Record<string, string>];
    expect(seen).toEqual(args);
    expect(env).toEqual({ ONLY: 'this' });
  });

  it('says what to repair when it cannot be started', async () => {
    const plain = join(directory, 'plain.txt');
    await writeFile(plain, 'text');
    await chmod(plain, 0o600);
    const missing = await failureOf(launch('no-such-program-anywhere'));
    expect(missing).toMatchObject({ code: 'PROCESS_NOT_STARTED', details: { system_error: 'ENOENT' } });
    expect(missing.hint).toContain('not found');
    expect((await failureOf(launch(plain))).hint).toContain('not executable');
    const nowhere = launchProcess({ command: 'cat', args: [], env: testEnvironment, cwd: join(directory, 'none') });
    expect((await failureOf(nowhere)).hint).toContain('working directory');
    expect((await failureOf(launch('cat', ['a\0b']))).hint).toContain('NUL');
    const huge = await failureOf(launch('cat', ['x'.repeat(4_000_000)]));
    expect(huge.hint).toContain('too large');
    expect(JSON.stringify(missing)).not.toContain(directory);
  });

  it('is not started for a caller who has already given up', async () => {
    expect(await failureOf(launch('cat', [], { signal: AbortSignal.abort() }))).toMatchObject({ code: 'CANCELLED' });
  });

  it('is ended harder and harder, with everything that it started', async () => {
    const script =
      'trap "" TERM; sh -c \'trap "" TERM; echo $$; while :; do sleep 0.05; done\' & while :; do sleep 0.05; done';
    const child = await shell(script, { grace: { stdinMs: 50, termMs: 50 } });
    const grandchild = Number(await firstLine(child));
    expect(await isAlive(grandchild)).toBe(true);
    await Promise.all([child.stop('idle'), child.stop()]);
    expect(await child.exited).toMatchObject({ code: null, signal: 'SIGKILL', reason: 'idle' });
    expect(await isAlive(child.pid)).toBe(false);
    expect(await isAlive(grandchild)).toBe(false);
  });

  it('gets time to clean up after SIGTERM', async () => {
    const child = await shell('trap "echo bye >&2; exit 0" TERM; echo up; while :; do sleep 0.05; done', {
      grace: { stdinMs: 50, termMs: 10_000 },
    });
    await firstLine(child);
    await child.stop();
    const report = await child.exited;
    expect(report).toMatchObject({ code: 0, reason: 'stopped' });
    expect(report.stderrTail.at(-1)).toBe('bye');
  });

  it('takes its group with it when it is killed', async () => {
    const child = await shell('sleep 300 & echo $!; wait');
    const grandchild = Number(await firstLine(child));
    process.kill(child.pid, 'SIGKILL');
    expect(await child.exited).toMatchObject({ code: null, signal: 'SIGKILL', reason: 'signalled' });
    await until('the grandchild is gone', async () => !(await isAlive(grandchild)));
  });

  it('is never blocked by what it writes to stderr, and little of 100 MB is kept', async () => {
    const script = `
      const { writeSync } = require('node:fs');
      const block = Buffer.alloc(1_000_000, 'x'.repeat(99) + '\\n');
      for (let count = 0; count < 100; count += 1) {
        for (let at = 0; at < block.length; ) {
          try { at += writeSync(2, block, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
        }
      }
      process.stderr.write('the end\\n');
      process.stdout.write('done\\n');`;
    const child = await launch(process.execPath, ['-e', script]);
    expect(await firstLine(child)).toBe('done');
    const { code, stderrTail } = await child.exited;
    expect(code).toBe(0);
    expect(stderrTail.at(-1)).toBe('the end');
    expect(stderrTail.length).toBeLessThanOrEqual(50);
  });

  it('quotes stdout too when it is told to drain it', async () => {
    const child = await shell('echo out; exit 1', { stdout: 'tail' });
    expect((await child.exited).stderrTail).toEqual(['out']);
  });

  it('ends although somebody who left its group holds its pipes open', async () => {
    const child = await shell('setsid sleep 300 & echo $!; exit 0');
    const escaped = Number(await firstLine(child));
    expect(await child.exited).toMatchObject({ code: 0, reason: 'exited' });
    await until('stdout is closed', () => child.stdout.destroyed);
    process.kill(escaped, 'SIGKILL');
  });
});
