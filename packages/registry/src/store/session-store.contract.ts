import type { KeptSession, SessionBatch } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.js';

const HOUR_MS = 3_600_000;
const NOTHING: SessionBatch = { sessions: [], events: [], trimmed: [], ended: [] };

const session = (key: string, more: Partial<KeptSession> = {}): KeptSession => ({
  key,
  generation: 0,
  sealed: `state of ${key}`,
  idleMs: 0,
  ...more,
});

const part = (key: string, last: number) => ({ key, last, sealed: `events until ${last}` });

/** What every store must do with sessions of clients. */
export const describeSessionStore = (storeOf: () => Store): void => {
  describe('sessions of clients', () => {
    it('come back with their events in order, as they were last written', async () => {
      const { sessions } = storeOf();
      await sessions.save({ ...NOTHING, sessions: [session('a'), session('b')], events: [part('a', 9), part('b', 1)] });
      await sessions.save({ ...NOTHING, sessions: [session('a', { idleMs: HOUR_MS })], events: [part('a', 10)] });
      const kept = await sessions.load('a');
      expect(kept).toEqual({
        session: session('a', { idleMs: expect.any(Number) as number }),
        events: [part('a', 9), part('a', 10)],
      });
      expect(kept?.session.idleMs).toBeGreaterThanOrEqual(HOUR_MS);
      expect((await sessions.load('b'))?.session.idleMs).toBeLessThan(HOUR_MS);
      expect(await sessions.load('c')).toBeUndefined();
    });

    it('lose events that are no longer needed, and everything when they end', async () => {
      const { sessions } = storeOf();
      await sessions.save({ ...NOTHING, sessions: [session('a')], events: [part('a', 4), part('a', 8)] });
      await sessions.save({ ...NOTHING, trimmed: [{ key: 'a', before: 5 }] });
      expect((await sessions.load('a'))?.events).toEqual([part('a', 8)]);
      await sessions.save({ ...NOTHING, ended: [{ key: 'a', generation: 0 }] });
      expect(await sessions.load('a')).toBeUndefined();
      await sessions.save({ ...NOTHING, sessions: [session('a')] });
      expect((await sessions.load('a'))?.events).toEqual([]);
    });

    it('belong to the last who claimed them: what an earlier holder writes is ignored, and it is told', async () => {
      const { sessions } = storeOf();
      await sessions.save({ ...NOTHING, sessions: [session('a'), session('b')] });
      const claims = await Promise.all([sessions.claim('a', 0), sessions.claim('a', 0)]);
      expect(claims.toSorted()).toEqual([false, true]);
      const lost = await sessions.save({
        sessions: [session('a', { sealed: 'old' }), session('b', { sealed: 'new' })],
        events: [part('a', 1)],
        trimmed: [{ key: 'a', before: 99 }],
        ended: [],
      });
      expect(lost).toEqual(['a']);
      expect(await sessions.load('a')).toMatchObject({ session: { generation: 1, sealed: 'state of a' }, events: [] });
      expect((await sessions.load('b'))?.session.sealed).toBe('new');
      await sessions.save({ ...NOTHING, ended: [{ key: 'a', generation: 0 }] });
      expect(await sessions.load('a')).toBeDefined();
      expect(await sessions.claim('none', 0)).toBe(false);
    });

    it('are forgotten when nobody used them for long', async () => {
      const { sessions } = storeOf();
      const many = Array.from({ length: 450 }, (_none, index) =>
        session(`s${index}`, { idleMs: (450 - index) * HOUR_MS }),
      );
      await sessions.save({ ...NOTHING, sessions: many, events: [part('s1', 1)] });
      await sessions.forgetIdle(1.5 * HOUR_MS);
      expect(await sessions.load('s1')).toBeUndefined();
      expect(await sessions.load('s448')).toBeUndefined();
      expect(await sessions.load('s449')).toBeDefined();
    });
  });
};
