import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOWHERE, skipString } from './skip-json.js';
import { CUT, goOnFrom, noVectors, openVectorScan } from './vector-scan.js';

const isString = (bytes: Buffer): boolean => {
  try {
    return typeof JSON.parse(bytes.toString()) === 'string';
  } catch {
    return false;
  }
};

const unit = fc.constantFrom('a', 'é', '€', '\u{1f600}', '\\n', '\\"', '\\\\', '\\u00e9', ' ', '/');
const text = fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 900 })), { minLength: 4, maxLength: 120 });
const odd = fc.constantFrom('\n', '\u0000', '\u001f', '\\x', '\\u12g4', '\\', '\u007f', '\\t', '"');

describe('a very long string', () => {
  it('ends where JSON says, and has nothing in it that JSON forbids', () => {
    fc.assert(
      fc.property(text, odd, fc.nat(), fc.nat(7), fc.nat(40), (parts, special, place, offset, behind) => {
        const written = parts.map(([piece, times]) => piece.repeat(times));
        written.splice(place % written.length, 0, special);
        const string = Buffer.from(`"${written.join('')}"`);
        const bytes = Buffer.concat([Buffer.alloc(offset, '"'), string, Buffer.alloc(behind, '"')]);
        const end = skipString(bytes, offset);
        if (end === NOWHERE) expect(isString(string)).toBe(false);
        else expect(isString(bytes.subarray(offset, end))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('is not ended by the bytes of one that was looked at before', () => {
    const whole = Buffer.from(JSON.stringify('x"\\'.repeat(40_000)));
    expect(skipString(whole, 0)).toBe(whole.length);
    for (const cut of [1, 2, 3, 15, 16, 17, 2000, 70_000]) {
      expect(skipString(whole.subarray(0, whole.length - cut), 0)).toBe(NOWHERE);
    }
  });

  it('may have an escape across any place where it is cut', () => {
    for (let before = 3050; before < 3120; before += 1) {
      for (const escape of ['\\n', '\\"', '\\u00e9']) {
        const bytes = Buffer.from(`"${'a'.repeat(before)}${escape}${'b'.repeat(300)}"`);
        expect(skipString(bytes, 0)).toBe(bytes.length);
        const broken = Buffer.from(bytes.toString().replace(escape, '\\q'));
        expect(skipString(broken, 0)).toBe(NOWHERE);
      }
    }
  });
});

describe('a machine without vectors', () => {
  it('has no scan of this kind', () => {
    // Nothing can be made of an arrow function: it throws, as the engine does where memory is short.
    const failing = (() => undefined) as never;
    expect(openVectorScan({ WebAssembly: { Module: failing, Instance: failing } })).toBeUndefined();
  });

  it('goes on byte by byte', () => {
    expect(goOnFrom(noVectors(Buffer.alloc(10), 7))).toBe(7);
    expect(noVectors(Buffer.alloc(10), 0)).toBe(CUT);
  });
});
