import { describe, expect, it } from 'vitest';
import { abortable } from './abortable.js';

const never = new Promise<never>(() => undefined);

describe('abortable', () => {
  it('gives what the work came to', async () => {
    const { signal } = new AbortController();
    await expect(abortable(Promise.resolve(7), signal)).resolves.toBe(7);
    await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('ends with the reason of the abort', async () => {
    const controller = new AbortController();
    const waiting = abortable(never, controller.signal);
    controller.abort('enough');
    await expect(waiting).rejects.toBe('enough');
    await expect(abortable(never, AbortSignal.abort('before'))).rejects.toBe('before');
  });

  it('ends with another failure when one is wanted', async () => {
    const failure = (signal: AbortSignal): Error => new Error(`stopped: ${String(signal.reason)}`);
    const controller = new AbortController();
    const waiting = abortable(never, controller.signal, failure);
    controller.abort('late');
    await expect(waiting).rejects.toThrow('stopped: late');
  });

  it('leaves no rejection unhandled when nobody waits for the work any more', async () => {
    const unseen = Promise.reject(new Error('unseen'));
    await expect(abortable(unseen, AbortSignal.abort('first'))).rejects.toBe('first');
    let fail: (reason: Error) => void = () => undefined;
    const later = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const controller = new AbortController();
    const waiting = abortable(later, controller.signal);
    controller.abort('left');
    await expect(waiting).rejects.toBe('left');
    fail(new Error('unseen too'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
