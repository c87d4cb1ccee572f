import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignNames, nameBeside } from './assign-names.js';
import type { NamedTool } from './name-index.js';

const tool = (key: string, name: string, server?: string): NamedTool => ({ key, tool: name, server });

describe('assignNames', () => {
  it('lets the tool that is really called so keep the name', () => {
    const names = assignNames([tool('1', 'a.b'), tool('2', 'a_b'), tool('3', 'c')]);
    expect(names.get('2')).toBe('a_b');
    expect(names.get('1')).toMatch(/^a_b_[0-9a-f]{8}$/u);
    expect(names.get('3')).toBe('c');
  });

  it('marks all when none or several are really called so', () => {
    const ambiguous = assignNames([tool('1', 'c', 'a__b'), tool('2', 'b__c', 'a')]);
    expect([...ambiguous.values()]).toEqual([
      expect.stringMatching(/^a__b__c_[0-9a-f]{8}$/u),
      expect.stringMatching(/^a__b__c_[0-9a-f]{8}$/u),
    ]);
    expect(new Set(ambiguous.values()).size).toBe(2);
  });

  it('tells two servers of one name apart', () => {
    const names = assignNames([tool('server-1/x', 'x', 's'), tool('server-2/x', 'x', 's')]);
    expect(new Set(names.values()).size).toBe(2);
  });

  it('gives legal, unique names that do not depend on the order', () => {
    const word = fc.constantFrom(
      'a',
      'b',
      'a b',
      'a.b',
      'a_b',
      'a__b',
      '',
      '!',
      'é',
      'x'.repeat(70),
      `${'x'.repeat(70)}.`,
    );
    const tools = fc.uniqueArray(
      fc.record({ key: fc.string({ maxLength: 4 }), server: fc.option(word, { nil: undefined }), tool: word }),
      { selector: ({ key }) => key, maxLength: 40 },
    );
    fc.assert(
      fc.property(tools, fc.infiniteStream(fc.nat()), (list, random) => {
        const names = assignNames(list);
        expect(names.size).toBe(list.length);
        expect(new Set(names.values()).size).toBe(list.length);
        for (const name of names.values()) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/u);
        const shuffled = list
          .map((entry) => ({ entry, rank: random.next().value as number }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ entry }) => entry);
        expect(Object.fromEntries(assignNames(shuffled))).toEqual(Object.fromEntries(names));
      }),
    );
  });
});

describe('nameBeside', () => {
  it('leaves names that are given out to those who have them', () => {
    expect(nameBeside(tool('1', 'a_b'), new Set(['c']))).toBe('a_b');
    const hashed = nameBeside(tool('1', 'a_b'), new Set(['a_b']));
    expect(hashed).toMatch(/^a_b_[0-9a-f]{8}$/u);
    expect(nameBeside(tool('1', 'a_b'), new Set(['a_b', hashed]))).toMatch(/^a_b_[0-9a-f]{12}$/u);
  });
});
