import { expect, it } from 'vitest';
import { phasesOf } from './call-times.js';

it('each phase lasts until the next station, and the last until the end', () => {
  const times = { forwarded: 101, connected: 104, sent: 105, answered: 155 };
  const phases = phasesOf(times, 100, 156);
  expect(phases).toEqual({ prepare: 1, connect: 3, queue: 1, server: 50, relay: 1 });
  expect(Object.values(phases ?? {}).reduce((sum, ms) => sum + ms, 0)).toBe(56);
});

it('a request that failed ended in the phase that it had reached', () => {
  expect(phasesOf({ forwarded: 101 }, 100, 110)).toEqual({ prepare: 1, connect: 9 });
  expect(phasesOf({ forwarded: 101, connected: 102, sent: 103 }, 100, 110)).toEqual({
    prepare: 1,
    connect: 1,
    queue: 1,
    server: 7,
  });
});

it('what was not forwarded has no phases', () => {
  expect(phasesOf(undefined, 100, 110)).toBeUndefined();
  expect(phasesOf({}, 100, 110)).toBeUndefined();
});
