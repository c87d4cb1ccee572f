import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEnvelopeSecretBox } from './envelope-secret-box.js';

const keyOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
const box = createEnvelopeSecretBox({ masterKey: keyOf(1) });
const unreadable = expect.objectContaining({ code: 'SECRET_UNREADABLE' });

describe('createEnvelopeSecretBox', () => {
  it('opens what it sealed, whatever the text and the place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
        expect(box.open(box.seal(text, place), place)).toBe(text);
      }),
    );
  });

  it('never seals twice alike and shows nothing of the text', () => {
    const [first, second] = [box.seal('hunter2-hunter2', 'p'), box.seal('hunter2-hunter2', 'p')];
    expect(first).not.toBe(second);
    expect(Buffer.from(first.split('.').at(-1) ?? '', 'base64url').includes('hunter2')).toBe(false);
  });

  it('notices every flipped bit', () => {
    const sealed = box.seal('text', 'place');
    const [format, id, ...parts] = sealed.split('.') as [string, string, string, string];
    fc.assert(
      fc.property(fc.nat(1), fc.nat(10_000), (which, seed) => {
        const bytes = Buffer.from(parts[which] ?? '', 'base64url');
        const bit = seed % (bytes.length * 8);
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const altered = parts.map((part, index) => (index === which ? bytes.toString('base64url') : part));
        expect(() => box.open([format, id, ...altered].join('.'), 'place')).toThrow(unreadable);
      }),
    );
  });

  it('opens only in the place that it was sealed for', () => {
    expect(() => box.open(box.seal('text', 't|1|f'), 't|2|f')).toThrow(unreadable);
  });

  it.each(['', 'plain text', 'v1', 'v2.a.b.c', 'v1.a.b.c', 'v1....', 'v1.a.b.c.d'])('refuses %j', (sealed) => {
    expect(() => box.open(sealed, 'p')).toThrow(unreadable);
  });

  it('does not open with another key, and opens with a retired one', () => {
    const sealed = box.seal('text', 'p');
    expect(() => createEnvelopeSecretBox({ masterKey: keyOf(2) }).open(sealed, 'p')).toThrow(unreadable);
    const rotated = createEnvelopeSecretBox({ masterKey: keyOf(2), retiredKeys: [keyOf(1)] });
    expect(rotated.open(sealed, 'p')).toBe('text');
    expect(() => box.open(rotated.seal('text', 'p'), 'p')).toThrow(unreadable);
  });

  it('refuses a key of another length', () => {
    expect(() => createEnvelopeSecretBox({ masterKey: new Uint8Array(16) })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });
});
