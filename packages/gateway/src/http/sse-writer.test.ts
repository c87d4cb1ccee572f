import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryHttp } from '../test-support/memory-http.js';
import type { SseWriter } from './sse-writer.js';

const SIGN = ': keep-alive';

// A module of its own for each test: all streams share a timer, and those of other tests may have started it.
let Writer: typeof SseWriter;
beforeEach(async () => {
  vi.resetModules();
  ({ SseWriter: Writer } = await import('./sse-writer.js'));
});

const openStream = () => {
  const writers: SseWriter[] = [];
  const answer = memoryHttp({
    find: () => 'stream',
    handle: (_endpoint, _request, response) => writers.push(new Writer(response)),
  })('/stream');
  const [writer] = writers;
  if (writer === undefined) throw new Error('a stream was opened');
  return { writer, answer, signs: () => answer.text().split(SIGN).length - 1 };
};

describe('signs of life on event streams', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('come at least every 15 seconds, however many streams there are, from one timer', async () => {
    const before = vi.getTimerCount();
    const first = openStream();
    await vi.advanceTimersByTimeAsync(5000);
    const others = Array.from({ length: 20 }, openStream);
    expect(vi.getTimerCount() - before).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([first.signs(), ...others.map(({ signs }) => signs())]).toEqual([1, ...others.map(() => 0)]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([first.signs(), ...others.map(({ signs }) => signs())]).toEqual([2, ...others.map(() => 2)]);
    for (const { answer } of [first, ...others]) answer.hangUp();
    await vi.advanceTimersByTimeAsync(20_000);
  });

  it('end with the stream', async () => {
    const [ended, closed, open] = [openStream(), openStream(), openStream()];
    ended.writer.end();
    closed.answer.hangUp();
    await vi.advanceTimersByTimeAsync(15_000);
    expect([ended.signs(), closed.signs(), open.signs()]).toEqual([0, 0, 1]);
    open.writer.end();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(open.signs()).toBe(1);
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  });
});

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the head of an event stream', () => {
  it('is sent with the events of the same turn', async () => {
    const { writer, answer } = openStream();
    writer.send('one');
    writer.send('two');
    expect(answer.text()).toBe('');
    await endOfTurn();
    expect(answer.text()).toMatch(/^HTTP\/1\.1 200 [^]*data: one\n\nevent: message\ndata: two\n\n/u);
    writer.end();
  });

  it('is sent alone when no event comes, and once', async () => {
    const { writer, answer } = openStream();
    await endOfTurn();
    expect(answer.text()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/u);
    writer.send('late');
    await endOfTurn();
    expect(answer.text().match(/HTTP\/1\.1/gu)).toHaveLength(1);
    expect(answer.text()).toContain('data: late');
    writer.end();
  });
});
