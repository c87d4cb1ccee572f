import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FirstEventSearch } from './first-event.js';
import { HandedOverBody } from './http1/handed-over-body.js';
import { SlowWatch } from './line/slow-watch.js';

describe('FirstEventSearch', () => {
  const dataOf = (text: string): string => {
    const bytes = Buffer.from(text);
    const event = new FirstEventSearch().look(bytes);
    return typeof event === 'string' ? event : bytes.toString('utf8', event.start, event.end);
  };

  it.each([
    ['event: message\ndata: {"a":1}\n\n', '{"a":1}'],
    ['data:{"a":1}\r\n\r\n', '{"a":1}'],
    [': hello\nid: 4\nretry: 10\ndata: x\n\ndata: y\n\n', 'x'],
    ['id: 1\ndata:\n\nid: 2\ndata: x\n\n', 'x'],
    ['id: 1\n\ndata: x\n\n', 'x'],
    ['data: x\n', 'more'],
    ['data: x', 'more'],
    ['', 'more'],
    ['data: x\ndata: y\n\n', 'unusual'],
    ['event: ping\ndata: x\n\n', 'unusual'],
    ['\uFEFFdata: x\n\n', 'unusual'],
  ])('reads %j', (text, expected) => {
    expect(dataOf(text)).toBe(expected);
  });

  it('waits for the whole event, wherever the bytes are cut', () => {
    const whole = Buffer.from('event: message\nid: 7\ndata: {"text":"é"}\n\n');
    fc.assert(
      fc.property(fc.nat(whole.length - 1), (end) => {
        const search = new FirstEventSearch();
        expect(search.look(whole.subarray(0, end))).toBe('more');
        const event = search.look(whole);
        expect(typeof event === 'string' ? event : whole.toString('utf8', event.start, event.end)).toBe('{"text":"é"}');
      }),
    );
  });

  it('leaves a stream of comments to others', () => {
    expect(dataOf(`${':\n'.repeat(199)}data: x\n\n`)).toBe('unusual');
  });
});

describe('HandedOverBody', () => {
  const controller = () => ({ pause: vi.fn(), resume: vi.fn(), abort: vi.fn() });

  it('gives what came before and what comes after', async () => {
    const body = new HandedOverBody(controller(), [Buffer.from('a')]);
    body.give(Buffer.from('b'));
    body.complete();
    const chunks = await body.toArray();
    expect(Buffer.concat(chunks as Buffer[]).toString()).toBe('ab');
  });

  it('slows the server down for a reader that does not keep up', () => {
    const link = controller();
    const body = new HandedOverBody(link, []);
    body.give(Buffer.alloc(1_000_000));
    expect(link.pause).toHaveBeenCalled();
    body.read();
    expect(link.resume).toHaveBeenCalled();
    body.on('error', () => undefined).destroy();
    expect(link.abort).toHaveBeenCalled();
  });

  it('can be read away, up to a bound', async () => {
    const link = controller();
    const body = new HandedOverBody(link, [Buffer.alloc(10), Buffer.alloc(10)]);
    await body.dump({ limit: 5 });
    expect(link.abort).toHaveBeenCalledOnce();
  });

  it('ends with the error of the link', async () => {
    const body = new HandedOverBody(controller(), []);
    body.fail(new Error('cut'));
    await expect(body.toArray()).rejects.toThrow('cut');
  });
});

describe('SlowWatch', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells those that take too long, and has no timer when nothing is under way', () => {
    const watch = new SlowWatch(1000);
    const begin = () => ({
      since: performance.now(),
      tooSlow: vi.fn(),
      before: undefined,
      after: undefined,
    });
    const [slow, quick] = [begin(), begin()];
    watch.add(slow);
    watch.add(quick);
    vi.advanceTimersByTime(500);
    const late = begin();
    watch.add(late);
    watch.remove(quick);
    vi.advanceTimersByTime(800);
    expect(slow.tooSlow).toHaveBeenCalledOnce();
    expect(quick.tooSlow).not.toHaveBeenCalled();
    expect(late.tooSlow).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(late.tooSlow).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives what shows signs of life more time, but not without end', () => {
    const watch = new SlowWatch(1000);
    const startedAt = performance.now();
    const alive = { since: startedAt, tooSlow: vi.fn(), before: undefined, after: undefined };
    watch.add(alive);
    for (let step = 0; step < 50; step += 1) {
      vi.advanceTimersByTime(600);
      if (step < 49) expect(alive.tooSlow).not.toHaveBeenCalled();
      watch.renew(alive, startedAt);
    }
    vi.advanceTimersByTime(600);
    watch.renew(alive, startedAt);
    vi.advanceTimersByTime(1300);
    expect(alive.tooSlow).toHaveBeenCalledOnce();
  });
});
