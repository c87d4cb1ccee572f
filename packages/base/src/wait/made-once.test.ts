import { expect, it } from 'vitest';
import { madeOnce } from './made-once.js';

it('is made once for all who ask', async () => {
  let made = 0;
  const get = madeOnce(async () => (made += 1));
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(1);
});

it('is made anew after a failure, and never twice at a time', async () => {
  let tries = 0;
  const get = madeOnce(async () => {
    tries += 1;
    if (tries === 1) throw new Error('no');
    return tries;
  });
  const first = await Promise.allSettled([get(), get()]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await Promise.all([get(), get()])).toEqual([2, 2]);
});
