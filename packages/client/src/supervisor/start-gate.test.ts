import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../policy/test-support/call.js';
import { createFakeClock, settle } from '../deadline/test-support/fake-clock.js';
import { createStartGate, onceStarted } from './start-gate.js';
import { createFakeChild } from './test-support/fake-child.js';

const signal = new AbortController().signal;
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};

describe('the gate for starts', () => {
  it('lets one start in per turn of the event loop, and only so many at once', async () => {
    const gate = createStartGate(2);
    const started: (() => void)[] = [];
    const all = [1, 2, 3].map(async () => started.push(await gate.enter({ signal })));
    expect(started).toHaveLength(0);
    await turns(1);
    await settle();
    expect(started).toHaveLength(1);
    await turns(10);
    expect(started).toHaveLength(2);
    started[0]?.();
    started[0]?.();
    await Promise.all(all);
    expect(started).toHaveLength(3);
    const fourth = gate.enter({ signal });
    await turns(10);
    started[1]?.();
    await fourth;
  });

  it('forgets those who gave up, and tells the others when their wait is over', async () => {
    const gate = createStartGate(1);
    const started = await gate.enter({ signal });
    const gone = new AbortController();
    const left = errorOf(gate.enter({ signal: gone.signal }).then(() => undefined));
    const told: string[] = [];
    const onQueued = () => {
      told.push('waits');
      return () => told.push('goes on');
    };
    const next = gate.enter({ signal, onQueued });
    gone.abort();
    expect((await left).code).toBe('CANCELLED');
    expect(told).toEqual(['waits']);
    started();
    await next;
    expect(told).toEqual(['waits', 'goes on']);
  });

  it.each(['its first words', 'its end', 'two seconds of silence'])('a start is over with %s', async (what) => {
    const clock = createFakeClock();
    const child = createFakeChild(1).process;
    let over = 0;
    onceStarted(child, () => (over += 1), clock);
    await clock.advance(100);
    expect(over).toBe(0);
    if (what === 'its first words') Object.assign(child.stdout, { bytesRead: 5 });
    if (what === 'its end') await child.stop();
    await clock.advance(what === 'two seconds of silence' ? 2_000 : 20);
    expect(over).toBeGreaterThan(0);
    expect(clock.pending()).toBe(0);
  });
});
