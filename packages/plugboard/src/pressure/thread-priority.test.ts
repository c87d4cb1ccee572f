import { readdirSync } from 'node:fs';
import { getPriority, platform } from 'node:os';
import { pid } from 'node:process';
import { expect, it } from 'vitest';
import { putEventLoopFirst } from './thread-priority.js';

it.runIf(platform() === 'linux')('lowers the threads of the runtime once, and leaves the event loop as it is', () => {
  const before = getPriority(pid);
  putEventLoopFirst();
  const others = readdirSync('/proc/self/task')
    .map(Number)
    .filter((thread) => thread !== pid);
  expect(getPriority(pid)).toBe(before);
  expect(others.some((thread) => getPriority(thread) > before)).toBe(true);
  const lowered = others.map((thread) => getPriority(thread));
  putEventLoopFirst();
  expect(Math.max(...others.map((thread) => getPriority(thread)))).toBe(Math.max(...lowered));
});
