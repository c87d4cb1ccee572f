import { expect, it } from 'vitest';
import { linkSignals } from './linked-signal.js';

it('follows the first that aborts, and lets go of all', () => {
  const [a, b] = [new AbortController(), new AbortController()];
  using linked = linkSignals(a.signal, undefined, b.signal);
  const released = linkSignals(a.signal, b.signal);
  released[Symbol.dispose]();
  b.abort('b');
  a.abort('a');
  expect(linked.signal.reason).toBe('b');
  expect(released.signal.aborted).toBe(false);
});

it('is the only signal itself, and never aborts without any', () => {
  const { signal } = new AbortController();
  using same = linkSignals(undefined, signal);
  expect(same.signal).toBe(signal);
  using quiet = linkSignals(undefined);
  expect(quiet.signal.aborted).toBe(false);
});

it('has aborted when one of several has', () => {
  using linked = linkSignals(AbortSignal.abort('before'), new AbortController().signal);
  expect(linked.signal.reason).toBe('before');
});
