import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { SessionSeal } from './session-seal.js';

it('opens what it sealed, and nothing that was changed or belongs to another session', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string({ unit: 'grapheme' }), fc.nat(), (id, text, at) => {
      const seal = new SessionSeal(id);
      const sealed = seal.seal(text);
      expect(seal.open(sealed)).toBe(text);
      expect(new SessionSeal(`${id}x`).open(sealed)).toBeUndefined();
      const bytes = Buffer.from(sealed, 'base64');
      bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ 1;
      expect(seal.open(bytes.toString('base64'))).toBeUndefined();
    }),
  );
});

it('has a key that tells nothing of the id, and opens no rubbish', () => {
  const seal = new SessionSeal('an id');
  expect(seal.key).not.toContain('an id');
  expect([seal.open(''), seal.open('AAAA'), seal.open('%%%')]).toEqual([undefined, undefined, undefined]);
});
