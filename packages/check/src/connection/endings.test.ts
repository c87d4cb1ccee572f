import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Child, ExitStatus } from './child.js';
import { Endings, SHORT_GRACE_MS } from './endings.js';
import { LineConnection } from './line-connection.js';
import { Transcript } from './transcript.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process that ends at this signal, and not at the end of its input. */
const stubborn = (endsAt: 'SIGTERM' | 'SIGKILL'): { readonly child: Child; readonly signals: string[] } => {
  const signals: string[] = [];
  let end: (status: ExitStatus) => void = () => undefined;
  const exited = new Promise<ExitStatus>((resolve) => {
    end = resolve;
  });
  const kill: Child['kill'] = (signal) => {
    signals.push(signal);
    if (signal === endsAt || signal === 'SIGKILL') end({ code: null, signal });
  };
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  return { child: { pid: undefined, stdin, stdout, stderr: undefined, exited, kill }, signals };
};

const closed = async (child: Child, endings: Endings, ms: number): Promise<boolean> => {
  const signal = new AbortController().signal;
  const connection = new LineConnection(child, { transcript: new Transcript(), signal, endings });
  const closing = connection.close().then(() => true);
  const late = vi.advanceTimersByTimeAsync(ms).then(() => false);
  return await Promise.race([closing, late]);
};

test('a program that ignored the end of its input once is not waited for again', async () => {
  const endings = new Endings();
  const [first, second] = [stubborn('SIGTERM'), stubborn('SIGTERM')];
  expect(await closed(first.child, endings, 1_500)).toBe(false);
  expect(await closed(stubborn('SIGTERM').child, endings, 5_000)).toBe(true);
  expect(await closed(second.child, endings, 50)).toBe(true);
  expect(second.signals[0]).toBe('SIGTERM');
});

test('one that ignored SIGTERM is killed at once the next time', async () => {
  const endings = new Endings();
  expect(await closed(stubborn('SIGKILL').child, endings, 5_000)).toBe(true);
  expect(await closed(stubborn('SIGKILL').child, endings, 50)).toBe(true);
});

test('a smoke run waits for less', async () => {
  expect(await closed(stubborn('SIGTERM').child, new Endings(SHORT_GRACE_MS), SHORT_GRACE_MS + 50)).toBe(true);
});
