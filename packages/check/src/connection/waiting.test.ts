import { describe, expect, test } from 'vitest';
import { pause, within } from './deadline.js';
import { Mailbox } from './mailbox.js';
import { Transcript } from './transcript.js';

const never = new Promise<never>(() => undefined);
const soon = { ms: 5, what: 'answer' };

describe('a deadline', () => {
  test('gives what came in time, and fails as the promise does', async () => {
    expect(await within(Promise.resolve(1), { ms: 1_000, what: 'x' })).toBe(1);
    await expect(within(Promise.reject(new Error('broken')), { ms: 1_000, what: 'x' })).rejects.toThrow('broken');
  });

  test('ends a wait by time or by cancellation', async () => {
    await expect(within(never, soon)).rejects.toThrow('No answer within 5 ms.');
    await expect(within(never, { ms: 1_000, what: 'answer', signal: AbortSignal.abort() })).rejects.toThrow(
      'cancelled',
    );
    const controller = new AbortController();
    const waiting = within(never, { ms: 10_000, what: 'answer', signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toThrow('cancelled');
    await pause(60_000, AbortSignal.abort());
  });
});

describe('a mailbox', () => {
  test('finds what is there, what comes, and the end', async () => {
    const box = new Mailbox<number>();
    box.put(1);
    const even = (item: number): number | undefined => (item % 2 === 0 ? item : undefined);
    expect(await box.until((item) => item, 0, soon)).toBe(1);
    const waiting = box.until(even, 0, { ms: 5_000, what: 'even number' });
    box.put(3);
    box.put(4);
    expect(await waiting).toBe(4);
    await expect(box.until(even, 3, soon)).rejects.toThrow('No answer');
    box.end('closed');
    box.end('closed again');
    expect(await box.until(even, 3, soon)).toBeUndefined();
    expect(box.ended).toBe('closed');
  });

  test('tells subscribers everything once', () => {
    const box = new Mailbox<string>();
    const seen: string[] = [];
    box.put('before');
    box.subscribe(
      (item) => seen.push(item),
      (why) => seen.push(`end: ${why}`),
    );
    box.put('after');
    box.end('closed');
    expect(seen).toEqual(['before', 'after', 'end: closed']);
  });
});

describe('a transcript', () => {
  test('keeps what these connections carried, and the beginning of what is long', () => {
    const transcript = new Transcript();
    const [one, two] = [transcript.connect(), transcript.connect()];
    transcript.record(one, 'sent', 'early');
    const from = transcript.length;
    transcript.record(one, 'sent', 'x'.repeat(20_000));
    transcript.record(two, 'received', 'other');
    transcript.record(one, 'received', Buffer.from('é'));
    const kept = transcript.since(from, new Set([one]));
    expect(kept.map(({ direction, bytes, text }) => [direction, bytes, text.length])).toEqual([
      ['sent', 20_000, 16_384],
      ['received', undefined, 1],
    ]);
  });
});
