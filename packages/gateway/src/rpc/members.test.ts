import { describe, expect, it } from 'vitest';
import { objectAt, textAt, withMeta, withoutMembers } from './members.js';

describe('members', () => {
  it('are read by type', () => {
    expect(objectAt({ a: { b: 1 } }, 'a')).toEqual({ b: 1 });
    expect([objectAt({ a: [] }, 'a'), objectAt(undefined, 'a')]).toEqual([{}, {}]);
    expect([textAt({ a: 'x' }, 'a'), textAt({ a: 1 }, 'a'), textAt(undefined, 'a')]).toEqual([
      'x',
      undefined,
      undefined,
    ]);
  });

  it('are left out, and so is an empty _meta', () => {
    expect(withoutMembers({ a: 1, b: 2 }, new Set(['a']))).toEqual({ b: 2 });
    expect(withMeta({ a: 1, _meta: { x: 1 } }, () => ({}))).toEqual({ a: 1 });
    expect(withMeta({ a: 1 }, (meta) => ({ ...meta, y: 2 }))).toEqual({ a: 1, _meta: { y: 2 } });
  });
});
