import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignNames } from './assign-names.js';
import { NameIndex, type NamedTool } from './name-index.js';

const tool = (key: string, name: string, server?: string): NamedTool => ({ key, tool: name, server });

describe('NameIndex', () => {
  it('tells whose name changed when another tool comes or goes', () => {
    const index = new NameIndex();
    index.put(tool('1', 'a.b'));
    index.put(tool('2', 'c'));
    expect([...index.settle()]).toEqual(['1', '2']);
    expect(index.nameOf('1')).toBe('a_b');
    index.put(tool('3', 'a_b'));
    expect([...index.settle()].toSorted()).toEqual(['1', '3']);
    expect(index.nameOf('1')).toMatch(/^a_b_[0-9a-f]{8}$/u);
    index.delete('3');
    expect([...index.settle()]).toEqual(['1']);
    expect([index.nameOf('1'), index.nameOf('3')]).toEqual(['a_b', undefined]);
  });

  it('names nobody again where nothing changed', () => {
    const index = new NameIndex();
    index.put(tool('1', 'a'));
    index.settle();
    index.put(tool('1', 'a'));
    expect([...index.settle()]).toEqual([]);
  });

  it('has after any changes the names that all tools together get, and tells every difference', () => {
    const word = fc.constantFrom('a', 'a b', 'a.b', 'a_b', 'b__a', 'a__b', '', 'x'.repeat(70), `${'x'.repeat(70)}.`);
    const key = fc.constantFrom('1', '2', '3', '4', '5', '6');
    const step = fc.record({ key, tool: word, server: fc.option(word, { nil: undefined }), kept: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 12 }), (changes) => {
        const index = new NameIndex();
        const tools = new Map<string, NamedTool>();
        let before: ReadonlyMap<string, string> = new Map();
        for (const steps of changes) {
          for (const { kept, ...named } of steps) {
            if (kept) {
              tools.set(named.key, named);
              index.put(named);
            } else {
              tools.delete(named.key);
              index.delete(named.key);
            }
          }
          const changed = index.settle();
          const names = assignNames([...tools.values()]);
          for (const each of ['1', '2', '3', '4', '5', '6']) {
            expect(index.nameOf(each)).toBe(names.get(each));
            expect(changed.has(each)).toBe(names.has(each) && names.get(each) !== before.get(each));
          }
          before = names;
        }
      }),
    );
  });
});
