import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { rawLineClient } from '../raw/raw-line-client.js';
import type { ProcessBrief } from './process-options.js';
import { type ProcessLike, runFakeProcess } from './run-fake-process.js';

interface Stage {
  readonly self: ProcessLike;
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
  readonly exits: number[];
  readonly kills: string[];
  readonly signal: (name: string) => void;
}

const stage = (brief: ProcessBrief, env: Record<string, string> = {}): Stage => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const [exits, kills]: [number[], string[]] = [[], []];
  const listeners = new Map<string, () => void>();
  const self: ProcessLike = {
    argv: ['node', 'entry.js', JSON.stringify(brief)],
    env,
    pid: 42,
    stdin,
    stdout,
    stderr,
    exit: (code) => void exits.push(code),
    kill: (pid, signal) => void kills.push(`${pid} ${signal}`),
    on: (name, listener) => listeners.set(name, listener),
  };
  return { self, stdin, stdout, stderr, exits, kills, signal: (name) => listeners.get(name)?.() };
};

describe('a fake that runs as a process', () => {
  test('serves until its input ends, and then exits', async () => {
    const { self, stdin, stdout, exits, kills } = stage({ transport: 'stdio', tools: ['env', 'crash'] }, { A: 'b' });
    const running = runFakeProcess(self);
    const client = rawLineClient({ stdin, stdout });
    await client.initialize();
    expect(await client.request('tools/call', { name: 'env', arguments: { name: 'A' } })).toMatchObject({
      result: { content: [{ text: 'b' }] },
    });
    client.send('tools/call', { name: 'crash', arguments: {} });
    stdin.end();
    await running;
    expect(exits).toEqual([0]);
    expect(kills).toEqual(['42 SIGKILL']);
  });

  test('takes a fixture by its name', async () => {
    const { self, stdin, stdout } = stage({ transport: 'stdio', fixture: 'letta-mock' });
    const running = runFakeProcess(self);
    const client = rawLineClient({ stdin, stdout });
    await client.initialize();
    expect((await client.request('tools/list'))?.result?.['tools']).toHaveLength(9);
    stdin.end();
    await running;
  });

  test('leaves on SIGTERM unless it was told not to', async () => {
    const obedient = stage({ transport: 'stdio' });
    const stubborn = stage({ transport: 'stdio', ignoreSigterm: true });
    const running = [runFakeProcess(obedient.self), runFakeProcess(stubborn.self)];
    obedient.signal('SIGTERM');
    stubborn.signal('SIGTERM');
    expect([obedient.exits, stubborn.exits]).toEqual([[0], []]);
    obedient.stdin.end();
    stubborn.stdin.end();
    await Promise.all(running);
  });

  test('can end at its start', async () => {
    const { self, exits } = stage({ transport: 'stdio', exitAtStart: 7, startDelayMs: 60_000 });
    await runFakeProcess(self);
    expect(exits).toEqual([7]);
  });
});
