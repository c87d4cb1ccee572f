import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withNamedChoices } from './named-choices.js';

const titles = (choices: readonly object[]): readonly unknown[] => {
  const { a } = (
    withNamedChoices({ properties: { a: { anyOf: choices } } }) as {
      readonly properties: { readonly a: { readonly anyOf: readonly { readonly title?: string }[] } };
    }
  ).properties;
  return a.anyOf.map(({ title }) => title);
};

describe('the alternatives of a schema', () => {
  it('are named by their title, a fixed member, or their type', () => {
    expect(
      titles([
        { title: 'Card', type: 'object' },
        { properties: { kind: { const: 'invoice' }, company: {} } },
        { type: 'null' },
        { const: 7 },
        {},
      ]),
    ).toEqual(['Card', 'kind: invoice', 'Nothing', '7', undefined]);
  });

  it('keep their number where the names would be the same', () => {
    expect(titles([{ type: 'object' }, { type: 'object' }, { type: 'string' }])).toEqual([
      undefined,
      undefined,
      'Text',
    ]);
  });

  it('are found in lists and alternatives, and data stays as it is', () => {
    const choices = { oneOf: [{ type: 'string' }, { type: 'null' }] };
    const named = {
      oneOf: [
        { type: 'string', title: 'Text' },
        { type: 'null', title: 'Nothing' },
      ],
    };
    expect(withNamedChoices({ items: choices, default: choices, anyOf: [{ items: choices }] })).toEqual({
      items: named,
      default: choices,
      anyOf: [{ items: named }],
    });
  });

  it('can be anything', () => {
    fc.assert(
      fc.property(fc.anything(), (schema) => {
        expect(() => withNamedChoices(schema)).not.toThrow();
      }),
    );
  });
});
