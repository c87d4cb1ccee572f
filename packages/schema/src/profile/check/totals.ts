import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { DEFINITION_KEYWORDS } from '../../document/keyword.js';
import { refOf, refResolver } from '../../document/resolve-ref.js';
import { subschemas } from '../../document/walk-schema.js';
import type { Sighting } from '../definition/finding.js';
import type { RuleFor } from '../definition/rule.js';
import { characters, enumOf, propertiesOf, typesOf, type SchemaView } from '../definition/schema-view.js';

const over = (what: string, found: number, max: number): readonly Sighting[] =>
  found <= max
    ? []
    : [
        {
          pointer: '',
          message: `The schema has ${found} ${what}; ${max} are allowed.`,
          fix: 'Split the tool, or accept part of the arguments as text.',
        },
      ];

/** Levels of objects and arrays; a reference counts as what it names, and one back to itself as nothing. */
const nesting = (root: SchemaObject): number => {
  const resolve = refResolver(root);
  const known = new Map<SchemaObject, number>();
  const heightOf = (schema: SchemaObject): number => {
    const seen = known.get(schema);
    if (seen !== undefined) return seen;
    known.set(schema, 0);
    const height = measureHeight(schema);
    known.set(schema, height);
    return height;
  };
  const measureHeight = (schema: SchemaObject): number => {
    const ref = refOf(schema);
    if (ref !== undefined) {
      const target = resolve(ref);
      return target.found && isJsonObject(target.schema) ? heightOf(target.schema) : 0;
    }
    const own = typesOf(schema).some((type) => type === 'object' || type === 'array') ? 1 : 0;
    const below = subschemas(schema).filter(({ keyword }) => !DEFINITION_KEYWORDS.has(keyword));
    return own + Math.max(0, ...below.map(({ schema: sub }) => (isJsonObject(sub) ? heightOf(sub) : 0)));
  };
  return heightOf(root);
};

export const depth = (rule: RuleFor<'depth'>, { root }: SchemaView): readonly Sighting[] =>
  isJsonObject(root) ? over('levels of nesting', nesting(root), rule.max) : [];

const count = (view: SchemaView, of: (schema: SchemaObject) => number): number =>
  view.objects.reduce((total, { schema }) => total + of(schema), 0);

export const propertyTotal = (rule: RuleFor<'property-total'>, view: SchemaView): readonly Sighting[] =>
  over(
    'properties',
    count(view, (schema) => Object.keys(propertiesOf(schema)).length),
    rule.max,
  );

const enumValues = (schema: SchemaObject): readonly unknown[] => enumOf(schema) ?? [];

export const enumTotal = (rule: RuleFor<'enum-total'>, view: SchemaView): readonly Sighting[] =>
  over(
    'enum values',
    count(view, (schema) => enumValues(schema).length),
    rule.max,
  );

export const largeEnum = (rule: RuleFor<'large-enum'>, view: SchemaView): readonly Sighting[] =>
  view.objects.flatMap(({ schema, pointer }) => {
    const values = enumValues(schema);
    return values.length > rule.values && characters(values) > rule.characters
      ? [
          {
            pointer,
            message: `An enum of ${values.length} values has more than ${rule.characters} characters.`,
            fix: 'Accept a plain string and describe the values.',
          },
        ]
      : [];
  });

const textOf = (schema: SchemaObject): number => {
  const constant = ownMember(schema, 'const');
  const names = [propertiesOf(schema), ownMember(schema, '$defs'), ownMember(schema, 'definitions')];
  return (
    characters(names.flatMap((map) => (isJsonObject(map) ? Object.keys(map) : []))) +
    characters(enumValues(schema)) +
    characters([constant])
  );
};

export const textTotal = (rule: RuleFor<'text-total'>, view: SchemaView): readonly Sighting[] =>
  over('characters of names, enum and const values', count(view, textOf), rule.max);
