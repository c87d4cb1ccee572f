import { once } from 'node:events';
import { Readable } from 'node:stream';
import { addAbortSignal } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { abortable } from './abortable.js';
import { anySignal } from './any-signal.js';
import { LightAbort, nativeSignal } from './light-abort.js';
import { linkSignals } from './linked-signal.js';

const reason = new Error('over');

describe('a light signal', () => {
  it('is a signal, and says when and why it aborted', () => {
    const abort = new LightAbort();
    const { signal } = abort;
    expect([signal instanceof AbortSignal, signal.aborted, signal.reason]).toEqual([true, false, undefined]);
    expect(() => signal.throwIfAborted()).not.toThrow();
    abort.abort(reason);
    abort.abort('again');
    expect([signal.aborted, signal.reason, abort.signal]).toEqual([true, reason, signal]);
    expect(() => signal.throwIfAborted()).toThrow(reason);
  });

  it('has the reason of the platform when none is given', () => {
    const abort = new LightAbort();
    abort.abort();
    expect(abort.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('tells its listeners once, in their order, without those that left', () => {
    const abort = new LightAbort();
    const { signal } = abort;
    const heard: string[] = [];
    const listeners = ['a', 'b', 'c', 'd'].map((name) => () => void heard.push(name));
    const asObject = { handleEvent: () => void heard.push('object') };
    for (const listener of [...listeners, ...listeners]) signal.addEventListener('abort', listener, { once: true });
    signal.addEventListener('abort', asObject as unknown as () => void);
    signal.onabort = () => heard.push('on');
    for (const index of [0, 2]) signal.removeEventListener('abort', listeners[index] as () => void);
    abort.abort(reason);
    abort.abort(reason);
    signal.addEventListener('abort', () => heard.push('late'));
    expect(heard).toEqual(['b', 'd', 'object', 'on']);
  });

  it('does not tell a listener that another one removes meanwhile, nor one whose own signal has aborted', () => {
    const abort = new LightAbort();
    const { signal } = abort;
    const heard: string[] = [];
    const removed = (): void => void heard.push('removed');
    signal.addEventListener('abort', () => {
      heard.push('first');
      signal.removeEventListener('abort', removed);
    });
    signal.addEventListener('abort', removed);
    const until = new AbortController();
    signal.addEventListener('abort', () => heard.push('bounded'), { signal: until.signal });
    signal.addEventListener('abort', () => heard.push('never'), { signal: AbortSignal.abort() });
    signal.addEventListener('abort', () => heard.push('last'), { signal: new AbortController().signal });
    until.abort();
    abort.abort(reason);
    expect(heard).toEqual(['first', 'last']);
  });

  it('names itself in the event, and hears nothing but that it aborts', () => {
    const abort = new LightAbort();
    const { signal } = abort;
    const heard = vi.fn();
    signal.addEventListener('else', heard);
    signal.addEventListener('abort', ({ type, target }: Event) => heard(type, target === signal));
    expect(() => signal.dispatchEvent(new Event('abort'))).toThrow(TypeError);
    abort.abort();
    expect(heard.mock.calls).toEqual([['abort', true]]);
  });

  it('lets every listener hear of it, whatever another throws', async () => {
    const abort = new LightAbort();
    const heard = vi.fn();
    const uncaught = once(process, 'uncaughtException').catch(() => undefined);
    const others = process.listeners('uncaughtException').filter((listener) => listener.name !== 'resolver');
    for (const listener of others) process.off('uncaughtException', listener);
    try {
      abort.signal.addEventListener('abort', () => {
        throw reason;
      });
      abort.signal.addEventListener('abort', heard);
      abort.abort();
      expect(heard).toHaveBeenCalledOnce();
      expect(await uncaught).toContain(reason);
    } finally {
      for (const listener of others) process.on('uncaughtException', listener);
    }
  });
});

/** Never answers, without a socket. Node 26.10 throws outside of any promise when the fetch of a data: URL is aborted. */
const SILENT = { dispatch: () => true };

describe('what takes a signal', () => {
  it.each([
    ['timers', (signal: AbortSignal) => sleep(60_000, undefined, { signal })],
    ['events', (signal: AbortSignal) => once(new EventTarget(), 'x', { signal })],
    ['fetch', (signal: AbortSignal) => fetch('http://host', { signal, dispatcher: SILENT } as unknown as RequestInit)],
    ['streams', (signal: AbortSignal) => once(addAbortSignal(signal, new Readable({ read: () => undefined })), 'end')],
    ['a request', (signal: AbortSignal) => sleep(60_000, 0, { signal: new Request('http://host', { signal }).signal })],
    ['waits', (signal: AbortSignal) => abortable(new Promise(() => undefined), signal)],
    ['linked signals', (signal: AbortSignal) => sleep(60_000, 0, linkSignals(signal, new AbortController().signal))],
    [
      'one of many',
      (signal: AbortSignal) => sleep(60_000, 0, { signal: anySignal(signal, AbortSignal.timeout(60_000)) }),
    ],
    ['many of one', (signal: AbortSignal) => sleep(60_000, 0, { signal: anySignal(anySignal(signal)) })],
    ['the platform', (signal: AbortSignal) => sleep(60_000, 0, { signal: nativeSignal(signal) })],
  ])('takes a light one: %s', async (_what, use) => {
    const abort = new LightAbort();
    setImmediate(() => abort.abort(reason));
    await expect(use(abort.signal)).rejects.toBeDefined();
    const late = new LightAbort();
    late.abort(reason);
    await expect(use(late.signal)).rejects.toBeDefined();
  });

  it('gets the same signal of the platform each time, and that as it is', () => {
    const abort = new LightAbort();
    const native = nativeSignal(abort.signal);
    expect([nativeSignal(abort.signal), nativeSignal(native)]).toEqual([native, native]);
    abort.abort(reason);
    expect(native.reason).toBe(reason);
  });
});
