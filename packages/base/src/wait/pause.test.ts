import { expect, it } from 'vitest';
import { pause } from './pause.js';

it('says whether it was left in peace', async () => {
  expect(await pause(1, new AbortController().signal)).toBe(true);
  expect(await pause(10_000, AbortSignal.abort())).toBe(false);
});
