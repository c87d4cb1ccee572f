import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Child, ExitStatus, Launch } from './child.js';
import { SpareProcess } from './spare-process.js';

const PROGRAM = { command: 'server', args: [], env: {} };

/** Children that end at SIGTERM, numbered in the order of their starts. */
const launching = (): {
  readonly launch: Launch;
  readonly ends: ((pid: number) => void)[];
  readonly killed: string[];
} => {
  const ends: ((pid: number) => void)[] = [];
  const killed: string[] = [];
  let started = 0;
  const launch: Launch = () => {
    started += 1;
    const pid = started;
    let end: (status: ExitStatus) => void = () => undefined;
    const exited = new Promise<ExitStatus>((resolve) => {
      end = resolve;
    });
    ends.push(() => end({ code: 1, signal: null }));
    const child: Child = {
      pid,
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: undefined,
      exited,
      kill: (signal) => {
        killed.push(`${pid} ${signal}`);
        end({ code: null, signal });
      },
    };
    return child;
  };
  return { launch, ends, killed };
};

test('the first launch takes the spare process, the next one starts its own', () => {
  const { launch } = launching();
  const spare = new SpareProcess(launch, PROGRAM);
  expect(spare.launch(PROGRAM).pid).toBe(1);
  expect(spare.launch(PROGRAM).pid).toBe(2);
});

test('a spare process that has ended is not handed out', async () => {
  const { launch, ends } = launching();
  const spare = new SpareProcess(launch, PROGRAM);
  ends[0]?.(1);
  await Promise.resolve();
  await Promise.resolve();
  expect(spare.launch(PROGRAM).pid).toBe(2);
});

test('one that was not taken is ended; one that was taken is left alone', async () => {
  const unused = launching();
  await new SpareProcess(unused.launch, PROGRAM).close();
  expect(unused.killed).toEqual(['1 SIGTERM', '1 SIGKILL']);
  const used = launching();
  const spare = new SpareProcess(used.launch, PROGRAM);
  spare.launch(PROGRAM);
  await spare.close();
  expect(used.killed).toEqual([]);
});
