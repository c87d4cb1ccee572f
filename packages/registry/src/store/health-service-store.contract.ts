import { describe, expect, it } from 'vitest';
import type { Store } from './store.js';

const sample = (name: string, interval_seconds = 30) => ({
  name,
  url: `http://127.0.0.1:7072/${name}`,
  interval_seconds,
  created_at: '2026-01-02T03:04:05.000Z',
});

/** What every store must do with health-only services. */
export const describeHealthServiceStore = (storeOf: () => Store): void => {
  describe('health-only services', () => {
    it('come back as they were put in, by name', async () => {
      const { services } = storeOf();
      await services.put(sample('vision'));
      await services.put(sample('mail'));
      expect(await services.all()).toEqual([sample('mail'), sample('vision')]);
    });

    it('are replaced under their name, and removed once', async () => {
      const { services } = storeOf();
      await services.put(sample('vision'));
      await services.put(sample('vision', 60));
      expect(await services.all()).toEqual([sample('vision', 60)]);
      expect(await services.remove('vision')).toBe(true);
      expect(await services.remove('vision')).toBe(false);
      expect(await services.all()).toEqual([]);
    });
  });
};
