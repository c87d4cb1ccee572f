import { expect, it } from 'vitest';
import { untilAborted } from './until-aborted.js';

it('resolves at once when the signal is aborted already', async () => {
  await expect(untilAborted(AbortSignal.abort())).resolves.toBeUndefined();
});

it('resolves when the signal is aborted later, and not before', async () => {
  const controller = new AbortController();
  const order: string[] = [];
  const waiting = untilAborted(controller.signal).then(() => order.push('resolved'));
  await Promise.resolve();
  order.push('abort');
  controller.abort();
  await waiting;
  expect(order).toEqual(['abort', 'resolved']);
});
