import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.js';

describe('cursors of merged lists', () => {
  it('come back as they were, and only to their list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (serverId, cursor) => {
        const text = encodeCursor({ kind: 'prompts', serverId, cursor });
        expect(decodeCursor('prompts', text)).toEqual({ kind: 'prompts', serverId, cursor });
        expect(() => decodeCursor('resources', text)).toThrow('cursor');
      }),
    );
  });

  it('that nobody gave out are refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(() => decodeCursor('prompts', text)).toThrow('cursor');
      }),
    );
  });
});
