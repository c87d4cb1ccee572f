import { expect, it } from 'vitest';
import { whenFree } from './sqlite-dialect.js';

const failure = (errcode: number): Error => Object.assign(new Error('no'), { errcode });

it('tries again while another process holds the file', async () => {
  let tries = 0;
  await whenFree(() => {
    tries += 1;
    if (tries < 3) throw failure(5);
  }, 5000);
  expect(tries).toBe(3);
});

it.each([
  ['another error', 11, 5000],
  ['a file that stays busy', 5, 0],
] as const)('gives up at %s', async (_name, errcode, busyTimeoutMs) => {
  const attempt = whenFree(() => {
    throw failure(errcode);
  }, busyTimeoutMs);
  await expect(attempt).rejects.toMatchObject({ errcode });
});
