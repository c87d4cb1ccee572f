import { describe, expect, it } from 'vitest';
import type { Store } from './store.js';

const MINUTE = 60_000;

const member = (id: string) => ({ id, url: `http://127.0.0.1:1/${id}`, version: '1.0.0' });

/** What every store must do for the processes that share it. */
export const describeFleetStore = (storeOf: () => Store): void => {
  describe('members of the fleet', () => {
    it('know of each other until they leave', async () => {
      const { fleet } = storeOf();
      await fleet.beat(member('a'));
      const seen = await fleet.beat(member('b'));
      expect(seen.map(({ ageMs: _age, ...rest }) => rest)).toEqual([member('a'), member('b')]);
      expect(seen.every(({ ageMs }) => ageMs >= 0 && ageMs < MINUTE)).toBe(true);
      await fleet.leave('a');
      expect((await fleet.beat(member('b'))).map(({ id }) => id)).toEqual(['b']);
    });
  });

  describe('leases', () => {
    it('have one holder, whoever asks at the same time', async () => {
      const { fleet } = storeOf();
      const outcomes = await Promise.all(['a', 'b', 'c'].map((holder) => fleet.acquire('x', holder, MINUTE)));
      expect(outcomes.filter(({ granted }) => granted)).toHaveLength(1);
      expect(new Set(outcomes.map(({ lease }) => lease.holder)).size).toBe(1);
    });

    it('keep their token for the same holder, and give the next one a greater one', async () => {
      const { fleet } = storeOf();
      const first = (await fleet.acquire('x', 'a', MINUTE)).lease;
      expect((await fleet.acquire('x', 'a', MINUTE)).lease.token).toBe(first.token);
      expect((await fleet.acquire('x', 'b', MINUTE)).granted).toBe(false);
      await fleet.release(first);
      const { granted, lease } = await fleet.acquire('x', 'b', MINUTE);
      expect({ granted, token: lease.token }).toEqual({ granted: true, token: first.token + 1 });
      // The former holder comes back late: it neither renews nor frees what is no longer its own.
      expect(await fleet.renew(first, MINUTE)).toBeUndefined();
      await fleet.release(first);
      expect((await fleet.acquire('x', 'c', MINUTE)).lease.holder).toBe('b');
    });

    it('that have expired are renewed by their holder, or taken by another', async () => {
      const { fleet } = storeOf();
      const { lease } = await fleet.acquire('x', 'a', 0);
      expect(await fleet.renew(lease, 0)).toMatchObject({ token: lease.token });
      expect((await fleet.acquire('x', 'b', MINUTE)).granted).toBe(true);
      expect(await fleet.renew(lease, MINUTE)).toBeUndefined();
    });
  });

  describe('limits that processes share', () => {
    const rate = (charge: number, want: number) => ({ perMinute: 1, burst: 10, charge, want });
    const places = (running: number, want: number) => ({ limit: 5, running, want });
    const tokensOf = async (holder: string, charge: number, want: number) => {
      const [grant] = await storeOf().fleet.lend(holder, [{ subject: 'x', rate: rate(charge, want) }]);
      return grant?.tokens;
    };
    const placesOf = async (holder: string, running: number, want: number) => {
      const [grant] = await storeOf().fleet.lend(holder, [{ subject: 'x', places: places(running, want) }]);
      return grant?.places;
    };

    it('hand out no more tokens than the bucket has, whoever asks at the same time', async () => {
      const holders = ['a', 'b', 'c', 'd'];
      const granted = await Promise.all(holders.map((holder) => tokensOf(holder, 0, 4)));
      expect(granted.reduce<number>((sum, tokens) => sum + (tokens ?? 0), 0)).toBe(10);
    });

    it('charge what was taken without asking, and take back what was not used', async () => {
      expect(await tokensOf('a', 12, 0)).toBe(0);
      expect(await tokensOf('b', 0, 5)).toBe(0);
      expect(await tokensOf('a', -5, 0)).toBe(0);
      expect(await tokensOf('b', 0, 5)).toBe(3);
    });

    it('hand out each place once, and again when it is returned', async () => {
      const granted = await Promise.all(['a', 'b', 'c'].map((holder) => placesOf(holder, 0, 3)));
      expect(new Set(granted)).toEqual(new Set([0, 2, 3]));
      await Promise.all(['a', 'b', 'c'].map((holder) => placesOf(holder, 0, 0)));
      // Calls that run beyond the limit are counted.
      expect(await placesOf('a', 7, 7)).toBe(5);
      expect(await placesOf('b', 0, 1)).toBe(0);
    });

    it('answer many subjects at once, in the order of the asks', async () => {
      const subjects = Array.from({ length: 450 }, (_none, index) => `s${index}`).toReversed();
      const asks = subjects.map((subject) => ({ subject, rate: rate(0, 2), places: places(0, 1) }));
      const [one, other] = await Promise.all([
        storeOf().fleet.lend('a', asks),
        storeOf().fleet.lend('b', asks.toReversed()),
      ]);
      expect(one.map(({ subject }) => subject)).toEqual(subjects);
      expect([...one, ...other].every(({ tokens, places: held }) => tokens === 2 && held === 1)).toBe(true);
    });
  });

  describe('the holder of a session', () => {
    it('changes only from the one that was seen', async () => {
      const { fleet, sessions } = storeOf();
      const session = { key: 's', generation: 0, sealed: 'x', idleMs: 0 };
      await sessions.save({ sessions: [session], events: [], trimmed: [], ended: [] });
      expect(await fleet.sessionHolder('none')).toBeUndefined();
      expect(await fleet.sessionHolder('s')).toBeNull();
      const taken = await Promise.all(['a', 'b'].map((to) => fleet.takeSession('s', { from: null, to })));
      expect(taken.filter(Boolean)).toHaveLength(1);
      const holder = taken[0] ? 'a' : 'b';
      expect(await fleet.sessionHolder('s')).toBe(holder);
      // What the session's state is written with leaves the holder as it is.
      await sessions.save({ sessions: [{ ...session, sealed: 'y' }], events: [], trimmed: [], ended: [] });
      expect(await fleet.sessionHolder('s')).toBe(holder);
      expect(await fleet.takeSession('s', { from: holder, to: 'c' })).toBe(true);
    });
  });
};
