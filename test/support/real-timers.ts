import timers from 'node:timers';
import { afterAll } from 'vitest';

const NAMES = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval'] as const;

/** Unit tests share their process: a timer that one file leaves faked would stop the clock of those that run after it. */
afterAll(() => {
  const faked = NAMES.filter((name) => globalThis[name] !== timers[name]);
  for (const name of faked) Object.assign(globalThis, { [name]: timers[name] });
  if (faked.length > 0) throw new Error(`This file left timers faked: ${faked.join(', ')}.`);
});
