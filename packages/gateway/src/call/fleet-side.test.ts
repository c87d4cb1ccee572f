import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { markedId, markOf, markOfId, withMark, withoutMark } from './fleet-side.js';

const MARK = '0a1b2c3d';

describe('marks', () => {
  it('say who gave out an id, which stays a UUID', () => {
    const id = markedId(MARK, randomUUID());
    expect(id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u);
    expect(markOfId(id)).toBe(MARK);
  });

  it('of a text are found and taken off', () => {
    const state = withMark(MARK, 'payload.signature');
    expect([markOf(state), withoutMark(state)]).toEqual([MARK, 'payload.signature']);
  });

  it('are not there where there is one process', () => {
    expect(markedId(undefined, 'an-id')).toBe('an-id');
    expect(withMark(undefined, 'payload.signature')).toBe('payload.signature');
    expect(markOf('payload.signature')).toBeUndefined();
    expect(withoutMark('payload.signature')).toBe('payload.signature');
  });
});
