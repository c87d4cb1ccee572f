import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallDeadline } from './call-deadline.js';
import { waitWithSignal } from './wait-with-signal.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('CallDeadline', () => {
  const options = { what: 'answer', host: 'host:1' };

  test('aborts in time with an error that says so', () => {
    using deadline = new CallDeadline({ ...options, ms: 100 });
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.reason).toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
      message: 'host:1 did not answer within 100 ms.',
    });
  });

  test('stands still while the other side waits for us', () => {
    using deadline = new CallDeadline({ ...options, ms: 100 });
    const [first, second] = [deadline.pause(), deadline.pause()];
    vi.advanceTimersByTime(1000);
    first();
    first();
    deadline.extend();
    vi.advanceTimersByTime(1000);
    expect(deadline.signal.aborted).toBe(false);
    second();
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('signs of life move the end, but not beyond the maximum', () => {
    using deadline = new CallDeadline({ ...options, ms: 100, maxMs: 250 });
    for (let step = 0; step < 4; step += 1) {
      vi.advanceTimersByTime(60);
      deadline.extend();
    }
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(11);
    expect(deadline.signal.aborted).toBe(true);
  });

  test('follows its parent, and lets go of it', () => {
    const parent = new AbortController();
    const deadline = new CallDeadline({ ...options, ms: 100, parent: parent.signal });
    const disposed = new CallDeadline({ ...options, ms: 100, parent: parent.signal });
    disposed[Symbol.dispose]();
    disposed.extend();
    parent.abort('enough');
    expect(deadline.signal.reason).toBe('enough');
    expect(disposed.signal.aborted).toBe(false);
    deadline[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
    using late = new CallDeadline({ ...options, ms: 100, parent: parent.signal });
    expect(late.signal.aborted).toBe(true);
  });
});

describe('waitWithSignal', () => {
  test('gives the value, the failure, or the reason to stop waiting', async () => {
    const { signal } = new AbortController();
    await expect(waitWithSignal(Promise.resolve(7), signal, 'ambiguous')).resolves.toBe(7);
    await expect(waitWithSignal(Promise.reject(new Error('no')), signal, 'ambiguous')).rejects.toThrow('no');
    const controller = new AbortController();
    const waiting = waitWithSignal(new Promise(() => undefined), controller.signal, 'not-executed');
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED', delivery: 'not-executed' });
    await expect(
      waitWithSignal(Promise.reject(new Error('unseen')), AbortSignal.abort(), 'ambiguous'),
    ).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
