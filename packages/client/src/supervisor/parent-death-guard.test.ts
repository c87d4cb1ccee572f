import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createParentDeathGuard } from './parent-death-guard.js';
import { createFakeSpawn } from './test-support/fake-spawn.js';

it('starts one shell with the first group, and tells it of every change', async () => {
  const { spawn, children } = createFakeSpawn();
  const guard = createParentDeathGuard(spawn);
  expect(children).toEqual([]);
  guard.protect(11);
  guard.protect(12);
  guard.release(11);
  guard.release(99);
  await turn();
  expect(children).toHaveLength(1);
  expect(children[0]?.started.command).toBe('/bin/sh');
  expect(children[0]?.input()).toBe('+ 11\n+ 12\n- 11\n');
});

it('replaces a shell that was killed, and knows the groups again', async () => {
  const { spawn, children } = createFakeSpawn();
  const guard = createParentDeathGuard(spawn);
  guard.protect(11);
  children[0]?.end(null, 'SIGKILL');
  await turn();
  expect(children).toHaveLength(2);
  expect(children[1]?.input()).toBe('+ 11\n');
  guard.release(11);
  children[1]?.end(null, 'SIGKILL');
  expect(children).toHaveLength(2);
});

it('closes the pipe when it is disposed, and protects nothing afterwards', async () => {
  const { spawn, children } = createFakeSpawn();
  const guard = createParentDeathGuard(spawn);
  guard.protect(11);
  guard.dispose();
  guard.protect(12);
  await turn();
  expect(children[0]?.stdin.writableEnded).toBe(true);
  children[0]?.end(0);
  expect(children).toHaveLength(1);
});
