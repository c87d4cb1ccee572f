import { describe, expect, it } from 'vitest';
import { RunLimits } from './run-limits.js';

const never = new AbortController().signal;

describe('RunLimits', () => {
  it('limits the runs of one caller, and of all', () => {
    const runs = new RunLimits({ perCaller: 2, perHub: 3 });
    const leave = runs.enter('a', never);
    runs.enter('a', never);
    expect(() => runs.enter('a', never)).toThrow(
      expect.objectContaining({ code: 'RATE_LIMITED', details: { limit: 'caller', refused_by: 'plugboard' } }) as Error,
    );
    runs.enter('b', never);
    expect(() => runs.enter('c', never)).toThrow('The hub already has 3 runs');
    leave();
    leave();
    runs.enter('c', never);
    expect(() => runs.enter('d', never)).toThrow('The hub already has 3 runs');
  });

  it('a caller that disconnects has one run less', () => {
    const runs = new RunLimits({ perCaller: 1 });
    const client = new AbortController();
    const leave = runs.enter('a', client.signal);
    client.abort();
    const next = runs.enter('a', never);
    leave();
    expect(() => runs.enter('a', never)).toThrow('already has 1 runs');
    next();
    expect(() => runs.enter('a', client.signal)).toThrow('aborted');
  });
});
