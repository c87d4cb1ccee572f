import { ByteBudget } from '@plugboard/client';
import { describe, expect, it } from 'vitest';
import { clientOf, emptyScope } from '../test-support/call.js';
import { HttpSession } from './http-session.js';

const MIB = 1024 * 1024;

const sinkOf = () => {
  const texts: string[] = [];
  const sink = { open: true, send: (data: string) => void texts.push(data), end: () => void (sink.open = false) };
  return { sink, texts };
};

/** A call whose client went away before its answer came. */
const abandon = (holder: HttpSession, answer: string, instead: string): string => {
  const stream = holder.openStream();
  const first = stream.prime();
  const { sink } = sinkOf();
  stream.attach(sink);
  sink.open = false;
  stream.send(answer, () => instead);
  holder.closeStream(stream);
  return first;
};

describe('streams that their client left', () => {
  it('keep no more than the share of the caller, whatever the answers are', () => {
    const memory = new ByteBudget({ maxBytes: 8 * MIB, maxPerHolder: 4 * MIB });
    const holders = Array.from(
      { length: 10 },
      () => new HttpSession(emptyScope, clientOf('2025-11-25'), { room: memory.room('caller') }),
    );
    const lasts = holders.map((holder) => {
      for (let count = 0; count < 29; count += 1) abandon(holder, 'y'.repeat(2 * MIB), 'too large');
      const last = abandon(holder, 'y'.repeat(2 * MIB), 'too large');
      expect(holder.streamCount).toBe(1);
      return { holder, last };
    });
    expect(memory.used).toBeLessThanOrEqual(4 * MIB);
    // What is really there, whatever was counted.
    const kept = lasts.map(({ holder, last }) => {
      const { sink, texts } = sinkOf();
      holder.connect(sink, last);
      return texts.join('').length;
    });
    expect(kept.filter((length) => length === 2 * MIB)).toHaveLength(2);
    for (const holder of holders) holder.session.end();
    expect(memory.used).toBe(0);
  });

  it('tell a client that comes back what became of an answer that was not kept', () => {
    const memory = new ByteBudget({ maxBytes: MIB });
    const holder = new HttpSession(emptyScope, clientOf('2025-11-25'), { room: memory.room('caller') });
    const lost = abandon(holder, 'y'.repeat(2 * MIB), 'it was too large');
    const kept = abandon(holder, 'small', 'it was too large');
    const [one, two] = [sinkOf(), sinkOf()];
    holder.connect(one.sink, lost);
    holder.connect(two.sink, kept);
    expect([one.texts, two.texts]).toEqual([['it was too large'], ['small']]);
    expect([one.sink.open, two.sink.open]).toEqual([false, false]);
  });
});
