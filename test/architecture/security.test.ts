import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './source.js';

const PLACE = /`((?:packages|test|bench)\/[\w./-]+)`|`([\w.-]+\.ts)` there/gu;

/** Every file and directory that the page names; "`x.test.ts` there" is beside the one before it. */
const placesIn = (page: string): readonly string[] => {
  const places: string[] = [];
  for (const [, whole, beside] of page.matchAll(PLACE)) {
    const before = places.at(-1) ?? '';
    places.push(whole ?? join(/\.\w+$/u.test(before) ? dirname(before) : before, beside ?? ''));
  }
  return places;
};

it('every test that SECURITY.md names exists', () => {
  const places = placesIn(readFileSync(join(root, 'SECURITY.md'), 'utf8'));
  expect(places.length).toBeGreaterThan(80);
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
});
