import { deferred } from '@plugboard/base';
import { describe, expect, it } from 'vitest';
import { FleetMembers, SILENT_MS } from './fleet-members.js';

const member = (id: string) => ({ id, url: `http://${id}`, version: '1' });

const fleet = () => {
  const state = { now: 0, seen: [] as { id: string; ageMs: number }[], fails: false, beats: 0, failures: 0, left: '' };
  let held: Promise<void> | undefined;
  /** The store does not answer until the result is called. */
  const hold = (): (() => void) => {
    const { promise, resolve } = deferred<void>();
    held = promise;
    return resolve;
  };
  const members = new FleetMembers({
    self: member('self'),
    now: () => (state.now += 0.001),
    onFailure: () => (state.failures += 1),
    store: {
      beat: async () => {
        state.beats += 1;
        if (state.fails) throw new Error('down');
        const seen = [{ id: 'self', ageMs: 0 }, ...state.seen].map(({ id, ageMs }) => ({ ...member(id), ageMs }));
        await held;
        return seen;
      },
      leave: async (id) => void (state.left = id),
    },
  });
  return { state, members, hold };
};

describe('FleetMembers', () => {
  it('asks the store for somebody unknown, but not all the time', async () => {
    const { state, members } = fleet();
    await members.start();
    state.seen = [{ id: 'late', ageMs: 0 }];
    expect(await members.find('late')).toBeUndefined();
    state.now += 500;
    expect(await members.find('late')).toEqual(member('late'));
    expect(await members.find('late')).toEqual(member('late'));
    expect(state.beats).toBe(2);
    await members.stop();
    expect(state.left).toBe('self');
  });

  it('finds somebody who joined since its last look', async () => {
    const { state, members } = fleet();
    await members.start();
    state.seen = [{ id: 'late', ageMs: 0 }];
    expect(members.isHeard('late')).toBe(false);
    expect(await Promise.all(['late', 'late', 'dead'].map((id) => members.isThere(id)))).toEqual([true, true, false]);
    expect(await members.isThere('late')).toBe(true);
    expect(state.beats).toBe(2);
    await members.stop();
  });

  it('does not count a look that began before somebody joined', async () => {
    const { state, members, hold } = fleet();
    await members.start();
    const release = hold();
    state.now += 500;
    const looking = members.find('late');
    const asking = members.isThere('late');
    state.seen = [{ id: 'late', ageMs: 0 }];
    release();
    expect([await looking, await asking]).toEqual([undefined, true]);
    await members.stop();
  });

  it('keeps what it knew while the store does not answer, and reports that once', async () => {
    const { state, members } = fleet();
    state.seen = [{ id: 'other', ageMs: 100 }];
    await members.start();
    state.fails = true;
    for (const _turn of [1, 2]) {
      state.now += 1000;
      await members.find('unknown');
    }
    expect([members.others(), state.failures]).toEqual([[member('other')], 1]);
    expect(members.isHeard('other')).toBe(true);
    state.now += SILENT_MS;
    expect([members.isHeard('other'), members.liveCount]).toEqual([false, 1]);
    members.forget('other');
    expect(members.others()).toEqual([]);
    await members.stop();
  });
});
