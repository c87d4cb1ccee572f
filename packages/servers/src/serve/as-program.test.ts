import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { asProgram, type NodeProcess } from './as-program.js';
import { testProgram } from './test-support/test-program.js';

const fakeProcess = (...args: readonly string[]) => {
  const exits: unknown[] = [];
  const node = Object.assign(new EventEmitter(), {
    argv: ['node', 'main.js', ...args],
    env: {},
    cwd: () => '/',
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    exit: (code: unknown) => exits.push(code),
  });
  // Streams and an emitter are all that is used of a process.
  return { node: node as unknown as NodeProcess, emitter: node, exits };
};

it('leaves with the exit code of its server', async () => {
  const { node, exits } = fakeProcess('--nonsense');
  await asProgram(testProgram(), node);
  expect(exits).toEqual([2]);
});

it.each(['SIGTERM', 'SIGINT'])('ends cleanly on %s', async (signal) => {
  const program = testProgram();
  const { node, emitter, exits } = fakeProcess();
  const ended = asProgram(program, node);
  emitter.emit(signal);
  await ended;
  expect(exits).toEqual([0]);
  expect(program.seen.closed).toBe(1);
});
