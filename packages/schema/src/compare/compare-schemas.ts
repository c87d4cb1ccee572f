import { type JsonSchema, isSchema, ownMember, schemaList, type SchemaObject } from '../document/json-schema.js';
import { compareAlternatives, compareParts, isUnion } from './compare-alternatives.js';
import { compareConstraints, compareTexts, type Pair } from './compare-constraints.js';
import { compareProperties, type CompareInner } from './compare-properties.js';
import { placeOf, reportEffect, type Comparison } from './comparison.js';
import { expand, identity } from './schema-side.js';
import { appendPointer } from '../document/pointer.js';

/** References can make two schemas far deeper than their documents; beyond this the comparison is not worth its price. */
const MAX_DEPTH = 300;
const MAX_PAIRS = 50_000;

/** The schemas of the first items, in either spelling. */
const leading = (schema: SchemaObject): readonly JsonSchema[] => {
  const prefix = schemaList(schema, 'prefixItems');
  return prefix.length > 0 ? prefix : schemaList(schema, 'items');
};

/** The schema of all other items. */
const remaining = (schema: SchemaObject): JsonSchema => {
  const items = ownMember(schema, 'items');
  const rest = Array.isArray(items) ? ownMember(schema, 'additionalItems') : items;
  return isSchema(rest) ? rest : true;
};

/** What two arrays say about their items. */
const compareItems = (pair: Pair, inner: CompareInner): void => {
  const [old, now] = [leading(pair.before), leading(pair.after)];
  for (let index = 0; index < Math.max(old.length, now.length); index += 1) {
    inner(
      old[index] ?? remaining(pair.before),
      now[index] ?? remaining(pair.after),
      appendPointer(pair.pointer, 'prefixItems', index),
    );
  }
  inner(remaining(pair.before), remaining(pair.after), appendPointer(pair.pointer, 'items'));
};

/** Both are compared member by member, or one offers alternatives that the other does not have as such. */
const comparePair = (pair: Pair, comparison: Comparison, inner: CompareInner): void => {
  compareTexts(pair, comparison);
  if (isUnion(pair.before) !== isUnion(pair.after)) return compareAlternatives(pair, comparison, inner);
  compareConstraints(pair, comparison);
  compareProperties(pair, comparison, inner);
  compareItems(pair, inner);
  compareParts(pair, comparison, inner);
  if (isUnion(pair.before)) compareAlternatives(pair, comparison, inner);
};

/** Reports every difference between two measured schemas, following references on both sides. */
export const compareSchemas = (comparison: Comparison, pointer: string): void => {
  const seen = new Map<JsonSchema, Set<JsonSchema>>();
  let pairs = 0;
  let depth = 0;

  const inner: CompareInner = (before, after, at) => {
    if (typeof before === 'boolean' && before === after) return;
    const [old, now] = [identity(before, comparison.before), identity(after, comparison.after)];
    // booleans are one value in many places, so only objects tell that a pair was met before
    if (typeof old === 'object' && typeof now === 'object') {
      const partners = seen.get(old) ?? new Set();
      if (partners.has(now)) return;
      seen.set(old, partners.add(now));
    }
    pairs += 1;
    if (pairs > MAX_PAIRS || depth > MAX_DEPTH) {
      if (pairs <= MAX_PAIRS + 1) {
        reportEffect(comparison, 'changed', at, `${placeOf(at)} is too intricate to compare.`);
      }
      return;
    }
    depth += 1;
    comparePair(
      { before: expand(before, comparison.before), after: expand(after, comparison.after), pointer: at },
      comparison,
      inner,
    );
    depth -= 1;
  };

  inner(comparison.before.root, comparison.after.root, pointer);
};
