import type { SchemaObject } from '../../document/json-schema.js';
import { enumOf } from '../../profile/definition/schema-view.js';
import type { ValueMapping } from '../mapping/mapping.js';
import { sameJson } from './merge-schemas.js';
import { annotationsOf } from './prose.js';
import type { Step } from './step.js';

const label = (value: unknown): string => {
  if (value === '') return '(empty)';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A text for each value, no two alike: the number 1 beside the string "1" gets a mark. */
const label1by1 = (values: readonly unknown[]): readonly (readonly [string, unknown])[] => {
  const taken = new Set(values.filter((value): value is string => typeof value === 'string' && value !== ''));
  return values.map((value) => {
    if (typeof value === 'string' && value !== '') return [value, value];
    let text = label(value);
    while (taken.has(text)) text = `${text} (${typeof value})`;
    taken.add(text);
    return [text, value];
  });
};

/** Enums of values that are not strings become strings that stand for them. */
export const enumToLookup: Step = {
  id: 'enum-to-lookup',
  order: 'up',
  serves: ['string-enums', 'scalar-enums', 'typed'],
  rewrite: (node, place, { report, rule }) => {
    const values = enumOf(node);
    if (values === undefined) return undefined;
    const onlyStrings = rule('string-enums') !== undefined;
    const isFine = (value: unknown): boolean =>
      onlyStrings ? typeof value === 'string' && value !== '' : typeof value !== 'object' || value === null;
    if (values.every(isFine) && (!onlyStrings || node['type'] === 'string')) return undefined;
    const present = values.filter((value) => value !== null);
    const nothing: readonly SchemaObject[] = present.length < values.length ? [{ type: 'null' }] : [];
    const pairs = label1by1(present);
    const texts: SchemaObject = { type: 'string', enum: pairs.map(([text]) => text) };
    report(place, 'The values of an enum are chosen by their text.', 'same');
    const choices = [...(present.length > 0 ? [texts] : []), ...nothing];
    const schema = choices.length === 1 ? { ...choices[0] } : { anyOf: choices };
    return { schema: { ...annotationsOf(node), ...schema }, mapping: { op: 'lookup', pairs } };
  },
};

export const lookupMapping: ValueMapping<'lookup'> = {
  forward: ({ pairs }, value) => (pairs.find(([, original]) => sameJson(original, value)) ?? [value])[0],
  restore: ({ pairs }, value) => {
    const pair = pairs.find(([text]) => text === value);
    return pair === undefined ? value : pair[1];
  },
};
