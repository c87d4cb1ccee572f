import { expect, it } from 'vitest';
import { ANSWER_PLACES, FAST_ANSWER_BYTES } from './answer-place.js';

it('gives memory again that came back, and no other', () => {
  const [first, second] = [ANSWER_PLACES.take(), ANSWER_PLACES.take()];
  expect([first.length, second.length]).toEqual([FAST_ANSWER_BYTES, FAST_ANSWER_BYTES]);
  expect(first.buffer).not.toBe(second.buffer);
  ANSWER_PLACES.put(first.subarray(10, 20));
  expect(ANSWER_PLACES.take().buffer).toBe(first.buffer);
  ANSWER_PLACES.put(Buffer.alloc(10));
  expect(ANSWER_PLACES.take().buffer).not.toBe(first.buffer);
});

it('keeps only a few', () => {
  const places = Array.from({ length: 20 }, () => ANSWER_PLACES.take());
  for (const place of places) ANSWER_PLACES.put(place);
  const again = Array.from({ length: 20 }, () => ANSWER_PLACES.take());
  const known = new Set(places.map(({ buffer }) => buffer));
  expect(again.filter(({ buffer }) => known.has(buffer))).toHaveLength(8);
});

it('gives less memory for answers that are not as large', () => {
  const [small, large] = [ANSWER_PLACES.take(70_000), ANSWER_PLACES.take(200_000)];
  expect([small.length >= 70_000, small.length < 200_000, large.length]).toEqual([true, true, FAST_ANSWER_BYTES]);
  ANSWER_PLACES.put(small.subarray(0, 70_000));
  ANSWER_PLACES.put(large);
  expect(ANSWER_PLACES.take(100_000).buffer).toBe(small.buffer);
  expect(ANSWER_PLACES.take(1_000_000).buffer).toBe(large.buffer);
});
