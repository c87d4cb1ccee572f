import { expect, it } from 'vitest';
import { defaultConnections } from './bounds-settings.js';

it('clients may have two fifths of the open files, and 10,000 connections at most', () => {
  expect([1, 256, 4096, 25_000, 1_048_576, Number.MAX_SAFE_INTEGER].map(defaultConnections)).toEqual([
    1, 102, 1638, 10_000, 10_000, 10_000,
  ]);
});
