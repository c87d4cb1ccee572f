import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventLog } from './event-log.js';

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

  it('drops the oldest beyond its bounds, and always keeps the last', () => {
    const log = new EventLog({ prefix: 'p', maxEvents: 3, maxChars: 10 });
    for (const data of ['1', '2', '3', '4']) log.append(0, data);
    expect(log.size).toBe(3);
    log.append(0, 'x'.repeat(50));
    expect(log.size).toBe(1);
  });
});
