import { PassThrough } from 'node:stream';
import { MutantServer } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import type { Launch } from '../connection/child.js';
import { runChecks } from '../run/run-checks.js';
import { checkTarget } from '../target/target.js';

/** Longer than the first knock waits, shorter than the second. */
const STALL_MS = 4_000;

/** What comes after the handshake reaches this process late, once: the machine was busy. */
const stalling = (child: ReturnType<Launch>): ReturnType<Launch> => {
  const stdin = new PassThrough();
  let waiting = Promise.resolve();
  let isBusy = true;
  stdin.on('data', (chunk: Buffer) => {
    const isLate = isBusy && chunk.includes('"ping"');
    if (isLate) isBusy = false;
    const delay = isLate ? STALL_MS : 0;
    waiting = waiting.then(() => new Promise((resolve) => setTimeout(resolve, delay)));
    void waiting.then(() => child.stdin.write(chunk));
  });
  stdin.on('end', () => child.stdin.end());
  const { pid, stdout, stderr, exited } = child;
  return { pid, stdin, stdout, stderr, exited, kill: (signal) => child.kill(signal) };
};

const isReadable = (chunk: Uint8Array): boolean =>
  new TextDecoder()
    .decode(chunk)
    .split('\n')
    .every((line) => line === '' || line.endsWith('}'));

describe('the pulse', () => {
  test('does not take a process that answers late for one that never does', async () => {
    const server = new MutantServer({ options: (options) => ({ ...options, eras: 'legacy' }) });
    let starts = 0;
    const launch: Launch = () => {
      starts += 1;
      return starts === 1 ? stalling(server.launch()) : server.launch();
    };
    const target = checkTarget.parse({ command: ['in-process'], era: 'legacy', only: ['LIF-29'], seed: 1 });
    const { results } = await runChecks(target, { checks: CHECKS, version: '0.0.0', launch });
    await server.close();
    expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['LIF-29 pass']);
    expect(starts).toBeGreaterThan(0);
  });

  test('names what ended the process, not the ping that found it gone', async () => {
    const dead = Buffer.from('{"jsonrpc":"2.0","method":"the end"}\n');
    const server = new MutantServer({
      options: (options) => ({ ...options, eras: 'legacy' }),
      // As servers do whose reader gives up on the first line that it cannot parse.
      process: { input: (chunk) => (isReadable(chunk) ? chunk : dead) },
      dies: ({ method }) => method === 'the end',
    });
    const target = checkTarget.parse({ command: ['in-process'], era: 'legacy', only: ['RPC-05'], seed: 1 });
    const { results } = await runChecks(target, { checks: CHECKS, version: '0.0.0', launch: () => server.launch() });
    await server.close();
    const death = results.find(({ id }) => id === 'LIF-29');
    expect(death?.verdict).toBe('fail');
    expect(death?.evidence?.sent.split('\n')[0]).toBe('{"jsonrpc":"2.0","id":7,"method":');
    expect(death?.evidence?.reproduce).toContain('"id":7,"method":');
  });
});
