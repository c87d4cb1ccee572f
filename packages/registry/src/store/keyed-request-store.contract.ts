import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { box, type OpenStore } from '../test-support/store-samples.js';

const HOUR_MS = 3_600_000;

const attempt = (id: string, number: string, holder = 'one') => ({ id, content: 'c', holder, attempt: number });

/** What every store must do with requests that have an idempotency key. */
export const describeKeyedRequestStore = (current: () => OpenStore): void => {
  describe('requests with an idempotency key', () => {
    it('are begun by one of many that try at the same time', async () => {
      const { subject, store } = current();
      const other = await subject.open(box);
      try {
        const tries = await Promise.all(
          [store, other, store, other].map(({ keyedRequests }, index) =>
            keyedRequests.begin(attempt('a', String(index)), HOUR_MS),
          ),
        );
        expect(tries.filter((known) => known === undefined)).toHaveLength(1);
        const first = tries.indexOf(undefined);
        const known = { ...attempt('a', String(first)), outcome: undefined };
        expect(tries.filter((each) => each !== undefined)).toEqual([known, known, known]);
      } finally {
        await other.close();
      }
    });

    it('keep what came of them, sealed, after a reopen too', async () => {
      const { subject, store } = current();
      await store.keyedRequests.begin(attempt('a', '1'), HOUR_MS);
      await store.keyedRequests.settle(attempt('a', '1'), 'SECRET-outcome');
      // An attempt that is not the one that began has no say.
      await store.keyedRequests.settle(attempt('a', '2'), 'other');
      await store.keyedRequests.forget(attempt('a', '2'));
      const other = await subject.open(box);
      try {
        const known = await other.keyedRequests.begin(attempt('a', '3', 'two'), HOUR_MS);
        expect(known).toEqual({ ...attempt('a', '1'), outcome: 'SECRET-outcome' });
      } finally {
        await other.close();
      }
      expect(await subject.dump()).not.toContain('SECRET');
      expect((await store.seals.count(box)).total).toBe(1);
    });

    it('begin again when the attempt carried nothing out, and when it is old', async () => {
      const { keyedRequests } = current().store;
      await keyedRequests.begin(attempt('a', '1'), HOUR_MS);
      await keyedRequests.forget(attempt('a', '1'));
      expect(await keyedRequests.begin(attempt('a', '2'), HOUR_MS)).toBeUndefined();
      await keyedRequests.settle(attempt('a', '2'), 'done');
      await wait(20);
      expect(await keyedRequests.begin(attempt('a', '3'), 10)).toBeUndefined();
      expect(await keyedRequests.begin(attempt('a', '4'), HOUR_MS)).toMatchObject({ attempt: '3', outcome: undefined });
      await wait(20);
      await keyedRequests.forgetOlder(HOUR_MS);
      expect(await keyedRequests.begin(attempt('a', '5'), HOUR_MS)).toBeDefined();
      await keyedRequests.forgetOlder(10);
      expect(await keyedRequests.begin(attempt('a', '6'), HOUR_MS)).toBeUndefined();
    });
  });
};
