import { canonicalJson } from '../document/canonical-json.js';
import { declaredTypes } from '../document/infer-types.js';
import { schemaList, type JsonSchema, type SchemaObject } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import type { Effect } from './change.js';
import type { Pair } from './compare-constraints.js';
import type { CompareInner } from './compare-properties.js';
import { placeOf, reportEffect, reportText, type Comparison } from './comparison.js';
import { hasTexts, isText, withoutTexts } from './keyword-role.js';
import { expand, type SchemaSide } from './schema-side.js';

const unionKeyword = (schema: SchemaObject): 'anyOf' | 'oneOf' | undefined =>
  ['anyOf' as const, 'oneOf' as const].find((keyword) => schemaList(schema, keyword).length > 0);

export const isUnion = (schema: SchemaObject): boolean => unionKeyword(schema) !== undefined;

/** A schema without alternatives as the only one, or as one for each of its types. */
const split = (schema: SchemaObject): readonly JsonSchema[] => {
  const plain = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isText(keyword)));
  const types = [...(declaredTypes(schema) ?? [])];
  return types.length > 1 ? types.map((type) => ({ ...plain, type })) : [plain];
};

const alternatives = (schema: SchemaObject): readonly JsonSchema[] => {
  const keyword = unionKeyword(schema);
  return keyword === undefined ? split(schema) : schemaList(schema, keyword);
};

const shape = (schema: JsonSchema, side: SchemaSide): string => canonicalJson(withoutTexts(expand(schema, side)));

const typeKey = (schema: JsonSchema, side: SchemaSide): string =>
  canonicalJson([...(declaredTypes(expand(schema, side)) ?? [])].sort());

type Key = (schema: JsonSchema, side: SchemaSide) => string;

interface Matching {
  readonly pairs: readonly (readonly [JsonSchema, JsonSchema, number])[];
  readonly gone: readonly JsonSchema[];
  readonly come: readonly JsonSchema[];
}

/** Pairs equal branches, then those of the same type; the rest came or went. */
const match = (old: readonly JsonSchema[], now: readonly JsonSchema[], comparison: Comparison): Matching => {
  const pairs: (readonly [JsonSchema, JsonSchema, number])[] = [];
  let gone = [...old];
  let come = now.map((schema, index) => ({ schema, index }));
  const pairBy = (key: Key): void => {
    const waiting = new Map<string, JsonSchema[]>();
    for (const schema of gone) {
      const name = key(schema, comparison.before);
      waiting.set(name, [...(waiting.get(name) ?? []), schema]);
    }
    const unpaired: typeof come = [];
    for (const entry of come) {
      const partner = waiting.get(key(entry.schema, comparison.after))?.shift();
      if (partner === undefined) unpaired.push(entry);
      else pairs.push([partner, entry.schema, entry.index]);
    }
    come = unpaired;
    gone = [...waiting.values()].flat();
  };
  pairBy(shape);
  pairBy(typeKey);
  return { pairs, gone, come: come.map(({ schema }) => schema) };
};

interface ListNames {
  readonly keyword: string;
  readonly whenAdded: Effect;
  readonly whenRemoved: Effect;
  readonly noun: string;
}

/** The branches on both sides: which came, which went, and how the others changed. */
const compareBranches = (
  [old, now]: readonly [readonly JsonSchema[], readonly JsonSchema[]],
  at: string,
  { keyword, whenAdded, whenRemoved, noun }: ListNames,
  { comparison, inner }: { readonly comparison: Comparison; readonly inner: CompareInner },
): void => {
  const pointer = appendPointer(at, keyword);
  const place = placeOf(at);
  const { pairs, gone, come } = match(old, now, comparison);
  if (gone.length > 0) reportEffect(comparison, whenRemoved, pointer, `${place} lost ${gone.length} ${noun}.`);
  if (come.length > 0) reportEffect(comparison, whenAdded, pointer, `${place} has ${come.length} new ${noun}.`);
  if (come.some(hasTexts)) {
    reportText(comparison, pointer, `The new ${noun} of ${place} add text that the model reads.`);
  }
  for (const [before, after, index] of pairs) inner(before, after, appendPointer(pointer, index));
};

/** Two schemas of which at least one offers alternatives. */
export const compareAlternatives = (pair: Pair, comparison: Comparison, inner: CompareInner): void => {
  const keyword = unionKeyword(pair.after) ?? unionKeyword(pair.before) ?? 'anyOf';
  const names: ListNames = { keyword, whenAdded: 'widened', whenRemoved: 'narrowed', noun: 'alternatives' };
  compareBranches([alternatives(pair.before), alternatives(pair.after)], pair.pointer, names, { comparison, inner });
};

/** The parts that a value must satisfy together. */
export const compareParts = (pair: Pair, comparison: Comparison, inner: CompareInner): void => {
  const names: ListNames = { keyword: 'allOf', whenAdded: 'narrowed', whenRemoved: 'widened', noun: 'conditions' };
  const both = [schemaList(pair.before, 'allOf'), schemaList(pair.after, 'allOf')] as const;
  compareBranches(both, pair.pointer, names, { comparison, inner });
};
