import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutMembers } from './cut-members.js';
import { objectMembers } from './result-members.js';
import { splice } from './span.js';

const DEPTH = 20;

describe('cutMembers', () => {
  it('leaves the object without these members, and nothing else changed', () => {
    const objects = fc.dictionary(fc.stringMatching(/^[a-f]{1,3}$/u), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(objects, fc.func(fc.boolean()), fc.constantFrom(undefined, 2), (given, isCut, indent) => {
        const object = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
        const bytes = Buffer.from(JSON.stringify(object, undefined, indent));
        const members = objectMembers(bytes, 0, DEPTH) ?? [];
        const cut = splice(
          bytes,
          cutMembers(bytes, 0, members, ({ name }) => isCut(name)),
        );
        expect(JSON.parse(cut.toString())).toEqual(
          Object.fromEntries(Object.entries(object).filter(([name]) => !isCut(name))),
        );
      }),
    );
  });

  it('finds no members in what is no object', () => {
    expect(objectMembers(Buffer.from('[1]'), 0, DEPTH)).toBeUndefined();
    expect(objectMembers(Buffer.from('{"a":{}}'), 0, 1)).toBeUndefined();
  });
});
