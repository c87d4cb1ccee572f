import { describe, expect, it } from 'vitest';
import { FleetMembers, SILENT_MS } from './fleet-members.js';

const member = (id: string) => ({ id, url: `http://${id}`, version: '1' });

const fleet = () => {
  const state = { now: 0, seen: [] as { id: string; ageMs: number }[], fails: false, beats: 0, failures: 0, left: '' };
  const members = new FleetMembers({
    self: member('self'),
    now: () => state.now,
    onFailure: () => (state.failures += 1),
    store: {
      beat: async () => {
        state.beats += 1;
        if (state.fails) throw new Error('down');
        return [{ id: 'self', ageMs: 0 }, ...state.seen].map(({ id, ageMs }) => ({ ...member(id), ageMs }));
      },
      leave: async (id) => void (state.left = id),
    },
  });
  return { state, members };
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
