import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ByteBudget } from '@plugboard/client';
import { EventLog } from './event-log.js';

afterEach(() => vi.useRealTimers());

describe('the event log', () => {
  it('gives what came after an event on its stream, in order, and nothing of other streams', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 50 }), fc.nat(), (streams, pick) => {
        const log = new EventLog({ prefix: 'p' });
        const events = streams.map((stream, index) => log.append(stream, `d${index}`));
        const at = pick % events.length;
        const chosen = events[at];
        if (chosen === undefined) throw new Error('nothing was appended');
        expect(log.after(chosen.id)).toEqual(events.slice(at + 1).filter(({ stream }) => stream === chosen.stream));
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      }),
    );
  });

  it('knows no ids of another session, and none that it never gave', () => {
    const [one, two] = [new EventLog({ prefix: 'a' }), new EventLog({ prefix: 'b' })];
    const { id } = one.append(1, 'x');
    two.append(1, 'y');
    expect([two.after(id), two.streamOf(id), one.streamOf('a-1-99'), one.streamOf('rubbish')]).toEqual([
      [],
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('keeps an event that is too large for it only for a while, and then what is said in its place', () => {
    vi.useFakeTimers();
    const budget = new ByteBudget({ maxBytes: 1_000_000 });
    const log = new EventLog({ prefix: 'p', maxChars: 10, room: budget.room('caller') });
    const { id } = log.append(1, '');
    log.append(1, 'x'.repeat(200_000), () => 'too late');
    vi.advanceTimersByTime(10_000);
    expect(log.after(id).map(({ data }) => data.length)).toEqual([200_000]);
    vi.advanceTimersByTime(15_000);
    expect(log.after(id).map(({ data }) => data)).toEqual(['too late']);
    expect(budget.used).toBe(0);
    log.append(2, 'x'.repeat(200_000));
    vi.advanceTimersByTime(30_000);
    expect(log.size).toBe(0);
    log.append(3, 'small');
    vi.advanceTimersByTime(30_000);
    expect(log.size).toBe(1);
  });

  it('drops the oldest beyond its bounds, and always keeps the last', () => {
    const log = new EventLog({ prefix: 'p', maxEvents: 3, maxChars: 10 });
    for (const data of ['1', '2', '3', '4']) log.append(0, data);
    expect(log.size).toBe(3);
    log.append(0, 'x'.repeat(50));
    expect(log.size).toBe(1);
  });
});
