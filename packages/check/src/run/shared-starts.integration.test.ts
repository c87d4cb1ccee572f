import { PassThrough } from 'node:stream';
import { MutantServer, type Mutation } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import type { Launch } from '../connection/child.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { runChecks } from './run-checks.js';

/** The first of two checks that ask for a method that does not exist. */
const FIRST = '"once-plugboard/';

/** A process that answered that check leaves unknown methods of others without an answer from then on. */
const sulking = (child: ReturnType<Launch>, onSilence: () => void): ReturnType<Launch> => {
  let isOffended = false;
  const stdin = new PassThrough();
  stdin.on('data', (chunk: Buffer) => {
    isOffended ||= chunk.includes(FIRST);
    if (isOffended && chunk.includes('no-such-method') && !chunk.includes(FIRST)) onSilence();
    else child.stdin.write(chunk);
  });
  stdin.on('end', () => child.stdin.end());
  return {
    ...child,
    pid: child.pid,
    stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited: child.exited,
    kill: (signal) => child.kill(signal),
  };
};

/** A process that takes so long to start. */
const slowStart = (child: ReturnType<Launch>, ms: number): ReturnType<Launch> => {
  const stdin = new PassThrough();
  const ready = new Promise((resolve) => setTimeout(resolve, ms));
  stdin.on('data', (chunk: Buffer) => void ready.then(() => child.stdin.write(chunk)));
  stdin.on('end', () => child.stdin.end());
  const { pid, stdout, stderr, exited } = child;
  return { pid, stdin, stdout, stderr, exited, kill: (signal) => child.kill(signal) };
};

interface Options {
  readonly only?: readonly string[];
  readonly concurrency?: number;
  readonly budgets?: CheckTargetInput['budgets'];
  readonly wrap?: (child: ReturnType<Launch>) => ReturnType<Launch>;
}

const run = async (
  mutation: Mutation,
  { only = [], concurrency = 4, wrap = (child) => child, budgets }: Options = {},
) => {
  const server = new MutantServer(mutation);
  let starts = 0;
  const launch: Launch = () => {
    starts += 1;
    return wrap(server.launch());
  };
  try {
    const target = checkTarget.parse({
      command: ['in-process'],
      seed: 1,
      tools: { '*': {} },
      only,
      budgets: { quietMs: 20, requestMs: 500, startMs: 5_000, concurrency, ...budgets },
    });
    const report = await runChecks(target, { checks: CHECKS, version: '0.0.0', launch });
    return { report, starts, failed: report.results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id) };
  } finally {
    await server.close();
  }
};

const speaking = (eras: 'both' | 'legacy'): Mutation => ({ options: (options) => ({ ...options, eras }) });

describe('a run over stdio', () => {
  test('starts the program for a small part of its checks', async () => {
    const { report, starts, failed } = await run(speaking('both'));
    const { pass, fail, warn } = report.summary;
    expect(failed).toEqual([]);
    expect(pass + fail + warn).toBeGreaterThan(200);
    expect(starts).toBeLessThan(75);
  });

  test('gives a program that started slowly at first more time later', async () => {
    let started = 0;
    const { failed, report } = await run(speaking('legacy'), {
      only: ['LIF-02', 'LIF-03', 'LIF-04'],
      wrap: (child) => slowStart(child, (started += 1) < 3 ? 800 : 1_600),
      budgets: { startMs: 1_200, requestMs: 1_200 },
    });
    expect(failed).toEqual([]);
    expect(report.summary.pass).toBe(3);
  });

  test('does not blame a server for what the check before has done to the process', async () => {
    let silences = 0;
    const { report, failed } = await run(speaking('legacy'), {
      only: ['RPC-03', 'RPC-14'],
      concurrency: 1,
      wrap: (child) => sulking(child, () => (silences += 1)),
    });
    expect(silences).toBeGreaterThan(0);
    expect(failed).toEqual([]);
    expect(report.summary.pass).toBe(2);
  });
});
