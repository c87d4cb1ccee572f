import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasReference } from '@plugboard/contract';
import { resolveTemplate } from './resolve-template.js';

const from = (variables: Readonly<Record<string, string>>) => (name: string) =>
  Object.hasOwn(variables, name) ? variables[name] : undefined;

describe('resolveTemplate', () => {
  it.each([
    ['Bearer {{ API_KEY }}', { API_KEY: 'k' }, 'Bearer k'],
    ['{{API_KEY|def}}', {}, 'def'],
    ['{{ API_KEY | def val }}', {}, 'def val'],
    ['{{ API_KEY | }}', {}, ''],
    ['{{ api_key }}', { api_key: 'x' }, '{{ api_key }}'],
    ['{{A}}-{{B|2}}', { A: '1' }, '1-2'],
    ['{{A}}', { A: '' }, ''],
    ['{{A}}', { A: '{{B}}', B: 'no' }, '{{B}}'],
    ['{{ _A }}', { _A: 'u' }, 'u'],
    ['{{A||b}}', {}, '|b'],
    ['${A}/${A}', { A: '1' }, '1/1'],
    ['${lower} $A {A} {{}} ${}', { A: '1' }, '${lower} $A {A} {{}} ${}'],
  ])('turns %j with %j into %j', (text, variables, expected) => {
    expect(resolveTemplate(text, from(variables))).toEqual({ text: expected, missing: [] });
  });

  it('names everything that is missing, once', () => {
    expect(resolveTemplate('{{A}} ${B} {{ A }} {{C|c}}', from({})).missing).toEqual(['A', 'B']);
  });

  it('inserts values literally, whatever they contain', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        expect(resolveTemplate('<{{ A }}|${A}>', from({ A: value })).text).toBe(`<${value}|${value}>`);
      }),
    );
  });

  it('leaves text without references alone', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!hasReference(text));
        expect(resolveTemplate(text, () => 'x')).toEqual({ text, missing: [] });
      }),
    );
  });
});
