import type { SchemaObject } from '../../document/json-schema.js';
import { characters, enumOf, viewSchema } from '../../profile/definition/schema-view.js';
import { brief, describe } from './prose.js';
import type { Step, StepContext } from './step.js';

const valuesOf = (schema: SchemaObject): readonly unknown[] => enumOf(schema) ?? [];

/** The schemas whose enums must go so that the rest keeps within the provider's totals: the longest first. */
const chooseOversized = (root: SchemaObject, context: StepContext): ReadonlySet<SchemaObject> => {
  const total = context.rule('enum-total')?.max ?? Number.POSITIVE_INFINITY;
  const large = context.rule('large-enum');
  const holders = viewSchema(root)
    .objects.map(({ schema }) => schema)
    .filter((schema) => valuesOf(schema).length > 0)
    .sort((a, b) => valuesOf(b).length - valuesOf(a).length);
  let left = holders.reduce((sum, schema) => sum + valuesOf(schema).length, 0);
  return new Set(
    holders.filter((schema) => {
      const values = valuesOf(schema);
      const isHuge = large !== undefined && values.length > large.values && characters(values) > large.characters;
      if (!isHuge && left <= total) return false;
      left -= values.length;
      return true;
    }),
  );
};

/** Enums beyond the provider's totals are only described. */
export const largeEnums: Step = {
  id: 'large-enum',
  order: 'down',
  serves: ['enum-total', 'large-enum'],
  rewrite: (node, place, context) => {
    if (!place.isRoot) return undefined;
    const oversized = chooseOversized(node, context);
    if (oversized.size === 0) return undefined;
    context.report(place, 'The longest enums are only described.', 'wider');
    const relax = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(relax);
      if (typeof value !== 'object' || value === null) return value;
      const relaxed = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, relax(member)]));
      if (!oversized.has(value as SchemaObject)) return relaxed;
      const { enum: values, ...rest } = relaxed;
      return describe(rest, `One of ${valuesOf({ enum: values }).length} values such as ${brief(values)}.`);
    };
    return { schema: relax(node) as SchemaObject };
  },
};
