import { deferred } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { createBulkhead } from './bulkhead.js';
import { callContext, errorOf } from './test-support/call.js';
import { createFakeClock, settle } from '../deadline/test-support/fake-clock.js';

const setUp = (limits: { maxConcurrent?: number; maxQueued?: number } = {}) => {
  const clock = createFakeClock();
  const bulkhead = createBulkhead({ maxConcurrent: 1, maxQueued: 10, maxWaitMs: 1_000, clock, ...limits });
  const started: string[] = [];
  const enter = (name: string, signal?: AbortSignal) => {
    const gate = deferred<string>();
    const context = callContext({ caller: name.slice(0, 1), ...(signal === undefined ? {} : { signal }) });
    const done = bulkhead.policy(context, () => {
      started.push(name);
      return gate.promise;
    });
    return { done, finish: () => gate.resolve(name), fail: () => gate.reject(new Error(name)) };
  };
  return { clock, bulkhead, started, enter };
};

describe('the bulkhead', () => {
  it('runs as many as allowed and hands each place on, in turns between callers', async () => {
    const { bulkhead, started, enter } = setUp();
    const calls = ['a1', 'a2', 'a3', 'b1'].map((name) => enter(name));
    await settle();
    expect(bulkhead.state()).toEqual({ running: 1, queued: 3 });
    for (const call of calls) call.finish();
    expect(await Promise.all(calls.map((call) => call.done))).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    expect(bulkhead.state()).toEqual({ running: 0, queued: 0 });
  });

  it('refuses at once when the queue is full', async () => {
    const { enter } = setUp({ maxQueued: 0 });
    const first = enter('a1');
    expect(await errorOf(enter('b1').done)).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 1_000 });
    first.finish();
    await first.done;
  });

  it('gives a waiting call up after its time, and its place in the queue with it', async () => {
    const { clock, bulkhead, started, enter } = setUp();
    const first = enter('a1');
    const late = errorOf(enter('a2').done);
    await clock.advance(1_000);
    expect((await late).code).toBe('RATE_LIMITED');
    expect(bulkhead.state()).toEqual({ running: 1, queued: 0 });
    first.finish();
    await first.done;
    expect(started).toEqual(['a1']);
  });

  it('ends the wait of a cancelled call at once', async () => {
    const { clock, bulkhead, enter } = setUp();
    const first = enter('a1');
    const controller = new AbortController();
    const waiting = errorOf(enter('a2', controller.signal).done);
    controller.abort();
    expect((await waiting).code).toBe('CANCELLED');
    expect((await errorOf(enter('a3', controller.signal).done)).code).toBe('CANCELLED');
    expect(bulkhead.state()).toEqual({ running: 1, queued: 0 });
    first.finish();
    await first.done;
    expect(clock.pending()).toBe(0);
  });

  it('frees the place of a call that failed', async () => {
    const { bulkhead, enter } = setUp();
    const first = enter('a1');
    first.fail();
    await expect(first.done).rejects.toThrow('a1');
    expect(bulkhead.state().running).toBe(0);
  });
});
