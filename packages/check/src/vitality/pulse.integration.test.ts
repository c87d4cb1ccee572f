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
});
