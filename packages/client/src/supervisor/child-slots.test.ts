import { describe, expect, it } from 'vitest';
import { errorOf } from '../policy/test-support/call.js';
import { createFakeClock, settle } from '../deadline/test-support/fake-clock.js';
import { type ChildSlots, createChildSlots, type IdleChild } from './child-slots.js';

const never = new AbortController().signal;

const setUp = (max: number) => {
  const clock = createFakeClock();
  const slots = createChildSlots({ max, waitMs: 1_000, clock });
  const ended: string[] = [];
  const take = (name: string, signal = never) => slots.take({ name, signal });
  /** A child that nobody uses: it can be evicted. */
  const idle = async (name: string): Promise<() => void> => {
    const giveBack = await take(name);
    return slots.offer(() => {
      ended.push(name);
      giveBack();
      return Promise.resolve();
    });
  };
  return { clock, slots, ended, take, idle };
};

describe('the cap on children', () => {
  it('lets one more than allowed wait for a place, and names the setting when none becomes free', async () => {
    const { clock, slots, take } = setUp(1);
    const giveBack = await take('a');
    const refused = errorOf(take('b').then(() => undefined));
    await clock.advance(999);
    expect(slots.state()).toEqual({ max: 1, used: 1, waiting: 1, evicted: 0 });
    await clock.advance(1);
    const error = await refused;
    expect(error).toMatchObject({ code: 'RATE_LIMITED', details: { max_processes: 1, waited_ms: 1_000 } });
    expect(error.hint).toContain('processes.max');
    const waiting = take('b');
    giveBack();
    giveBack();
    await waiting;
    expect(slots.state()).toMatchObject({ used: 1, waiting: 0 });
    expect(clock.pending()).toBe(0);
  });

  it('ends the child that was idle longest to make room, and spares those that are used again', async () => {
    const { clock, slots, ended, take, idle } = setUp(2);
    const useAgain = await idle('old');
    await clock.advance(1);
    await idle('young');
    useAgain();
    await take('new');
    expect(ended).toEqual(['young']);
    const refused = errorOf(take('newest').then(() => undefined));
    await clock.advance(1_000);
    expect((await refused).code).toBe('RATE_LIMITED');
    expect(ended).toEqual(['young']);
    expect(slots.state().evicted).toBe(1);
  });

  it('asks its sources: children of a lower rank go first, then the one that was idle longest', async () => {
    const { slots, ended, take } = setUp(3);
    const children: (IdleChild & { name: string })[] = [];
    for (const [name, rank, since] of [
      ['session', 1, 1],
      ['later list', 0, 3],
      ['list', 0, 2],
    ] as const) {
      const giveBack = await take(name);
      const evict = async (): Promise<void> => {
        ended.push(name);
        giveBack();
      };
      children.push({ name, rank, since, evict });
    }
    slots.addSource(() => {
      const gone = (child: { name: string }): boolean => ended.includes(child.name);
      return children.filter((child) => !gone(child)).toSorted((a, b) => a.rank - b.rank || a.since - b.since)[0];
    });
    await Promise.all(['a', 'b', 'c'].map((name) => take(name)));
    await settle();
    expect(ended).toEqual(['list', 'later list', 'session']);
  });

  it('lets servers take turns, and nobody overtakes those who wait', async () => {
    const { take } = setUp(1);
    const order: string[] = [];
    let giveBack = await take('first');
    const wait = (name: string): void => {
      void take(name).then((next) => {
        order.push(name);
        return (giveBack = next);
      });
    };
    for (const name of ['greedy', 'greedy', 'greedy', 'modest']) wait(name);
    await settle();
    for (let count = 0; count < 4; count += 1) {
      giveBack();
      await settle();
    }
    expect(order).toEqual(['greedy', 'modest', 'greedy', 'greedy']);
  });

  it('loses no place to those who gave up', async () => {
    const { slots, take } = setUp(1);
    const giveBack = await take('a');
    const gone = new AbortController();
    const left = errorOf(take('b', gone.signal).then(() => undefined));
    gone.abort();
    giveBack();
    expect((await left).code).toBe('CANCELLED');
    await settle();
    expect(slots.state()).toMatchObject({ used: 0, waiting: 0 });
  });

  it('evicts no more children than there are starts that wait, and looks again when one becomes idle', async () => {
    const { slots, take } = setUp(2);
    let evictions = 0;
    const places = [await take('a'), await take('b')];
    let idle = 0;
    const source: Parameters<ChildSlots['addSource']>[0] = () =>
      idle === 0
        ? undefined
        : {
            rank: 1,
            since: 0,
            evict: async () => {
              idle -= 1;
              evictions += 1;
            },
          };
    slots.addSource(source);
    const waiting = take('c');
    idle = 2;
    slots.noteIdle();
    slots.noteIdle();
    await settle();
    expect(evictions).toBe(1);
    places[0]?.();
    await waiting;
    expect(evictions).toBe(1);
  });

  it('tells a start that it waits, so that its clock stands', async () => {
    const { slots, take } = setUp(1);
    const giveBack = await take('a');
    const told: string[] = [];
    const onQueued = () => {
      told.push('waits');
      return () => told.push('goes on');
    };
    const waiting = slots.take({ name: 'b', signal: never, onQueued });
    expect(told).toEqual(['waits']);
    giveBack();
    await waiting;
    expect(told).toEqual(['waits', 'goes on']);
  });
});
