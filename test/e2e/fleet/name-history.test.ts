import { describe, expect, it } from 'vitest';
import { isLinearizable, type NameOperation } from './name-history.js';

const create = (from: number, until: number, more: Partial<NameOperation> = {}): NameOperation => ({
  kind: 'create',
  id: undefined,
  from,
  until,
  outcome: 'done',
  ...more,
});
const remove = (from: number, until: number, id: string, more: Partial<NameOperation> = {}): NameOperation => ({
  ...create(from, until, { id, ...more }),
  kind: 'delete',
});
const put = (from: number, until: number, more: Partial<NameOperation> = {}): NameOperation => ({
  ...create(from, until, { id: 'given', ...more }),
  kind: 'put',
});
const takeAway = (from: number, until: number, more: Partial<NameOperation> = {}): NameOperation => ({
  ...create(from, until, more),
  kind: 'remove',
});

describe('the history of a name', () => {
  it.each<[string, NameOperation[], string | undefined]>([
    ['one of two at once', [create(0, 9, { id: 'a' }), create(1, 8, { outcome: 'refused' })], 'a'],
    ['a name that is free again', [create(0, 1, { id: 'a' }), remove(2, 3, 'a'), create(4, 5, { id: 'b' })], 'b'],
    ['an unknown create that happened', [create(0, 1, { outcome: 'unknown' })], 'x'],
    ['an unknown create that did not', [create(0, 1, { outcome: 'unknown' })], undefined],
    [
      'an unknown create that refuses another',
      [create(0, 1, { outcome: 'unknown' }), create(2, 3, { outcome: 'refused' })],
      'x',
    ],
    [
      'an unknown delete that happened late',
      [create(0, 1, { id: 'a' }), remove(2, 3, 'a', { outcome: 'unknown' }), create(4, 5, { outcome: 'refused' })],
      undefined,
    ],
    ['what was put twice', [put(0, 1), put(2, 3)], 'given'],
    ['what was put and removed at once', [put(0, 9), takeAway(1, 8)], 'given'],
    ['what was removed at once with a put', [put(0, 9), takeAway(1, 8)], undefined],
    ['an unknown removal that happened', [put(0, 1), takeAway(2, 3, { outcome: 'unknown' })], undefined],
    ['an unknown removal that did not', [put(0, 1), takeAway(2, 3, { outcome: 'unknown' })], 'given'],
  ])('is right: %s', (_case, operations, stored) => {
    expect(isLinearizable(operations, stored)).toBe(true);
  });

  it.each<[string, NameOperation[], string | undefined]>([
    ['an acknowledged create was lost', [create(0, 1, { id: 'a' })], undefined],
    ['both of two got the name', [create(0, 9, { id: 'a' }), create(1, 8, { id: 'b' })], 'b'],
    ['somebody was refused a free name', [create(0, 1, { outcome: 'refused' })], undefined],
    ['a deleted one is back', [create(0, 1, { id: 'a' }), remove(2, 3, 'a')], 'a'],
    ['something is stored that nobody created', [], 'a'],
    [
      'a delete was refused that had to succeed',
      [create(0, 1, { id: 'a' }), remove(2, 3, 'a', { outcome: 'refused' })],
      'a',
    ],
    ['an acknowledged put was lost', [put(0, 1)], undefined],
    ['what was removed is back', [put(0, 1), takeAway(2, 3)], 'given'],
    ['a put was refused', [put(0, 1, { outcome: 'refused' })], undefined],
    ['two have one name', [create(0, 1, { id: 'a' })], 'a and b'],
  ])('is wrong: %s', (_case, operations, stored) => {
    expect(isLinearizable(operations, stored)).toBe(false);
  });
});
