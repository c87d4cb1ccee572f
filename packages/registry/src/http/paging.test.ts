import type { PageQuery } from '@plugboard/contract';
import { assert, asyncProperty, integer } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allPages, pageOf } from './paging.js';

const entries = (count: number) => Array.from({ length: count }, (_none, index) => ({ id: `e${index}`, index }));
const source =
  (count: number) =>
  async ({ limit = 0, after }: PageQuery) => {
    const all = entries(count);
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    return all.slice(start, start + limit);
  };

describe('paging', () => {
  it('finds every entry, however many', async () => {
    for (const count of [0, 1, 499, 500, 501, 1000, 1234]) expect(await allPages(source(count))).toHaveLength(count);
  });

  it('meets every fitting entry exactly once, whatever the size of the page', async () => {
    await assert(
      asyncProperty(
        integer({ min: 0, max: 1100 }),
        integer({ min: 1, max: 700 }),
        integer({ min: 1, max: 4 }),
        async (count, limit, step) => {
          const fits = ({ index }: { index: number }): boolean => index % step === 0;
          const met: string[] = [];
          let after: string | undefined;
          for (;;) {
            const page = await pageOf(source(count), { limit, after }, fits);
            met.push(...page.entries.map(({ id }) => id));
            if (!page.hasMore) break;
            expect(page.entries).toHaveLength(limit);
            after = page.entries.at(-1)?.id;
          }
          expect(met).toEqual(
            entries(count)
              .filter(fits)
              .map(({ id }) => id),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('gives all that fit when no limit is asked for', async () => {
    const page = await pageOf(source(10), { after: 'e4' }, ({ index }) => index % 2 === 0);
    expect(page).toEqual({ entries: [entries(10)[6], entries(10)[8]], hasMore: false });
  });
});
