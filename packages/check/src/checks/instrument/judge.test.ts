import { expect, test } from 'vitest';
import { judged } from './judge.js';

test('flaws of the cited sentence are told without those that go beyond it', () => {
  const finding = judged(
    [{ detail: 'Later.', beyond: true }, { detail: 'One.' }, { detail: 'Two.', beyond: false }],
    'none of it',
  );
  expect(finding).toMatchObject({ kind: 'broken', detail: 'One. Two.', expected: 'none of it' });
});

test('flaws that all go beyond the cited sentence are worth a warning', () => {
  const finding = judged([{ detail: 'Later.', beyond: true }], 'none of it');
  expect(finding).toMatchObject({ kind: 'doubtful', detail: 'Later.' });
});

test('only the first three are told in full', () => {
  const flaws = ['1.', '2.', '3.', '4.', '5.'].map((detail) => ({ detail }));
  expect(judged(flaws, 'none')).toMatchObject({ detail: '1. 2. 3. 2 more of this kind.' });
  expect(judged([], 'none', '7 were read.')).toEqual({ kind: 'holds', detail: '7 were read.' });
});
