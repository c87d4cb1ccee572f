import { isJsonObject } from '@plugboard/base';
import { canonicalJson } from '../document/canonical-json.js';
import { declaredTypes } from '../document/infer-types.js';
import { isSchema, JSON_TYPES, ownMember, type JsonType, type SchemaObject } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import { placeOf, reportEffect, reportText, type Comparison } from './comparison.js';
import { isText, OPAQUE, withoutTexts } from './keyword-role.js';
import type { SchemaSide } from './schema-side.js';
import { asText, textDifference } from './text-difference.js';

/** Two schemas at one place, their references already followed. */
export interface Pair {
  readonly before: SchemaObject;
  readonly after: SchemaObject;
  readonly pointer: string;
}

export const compareTexts = ({ before, after, pointer }: Pair, comparison: Comparison): void => {
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (!isText(keyword)) continue;
    const [old, now] = [ownMember(before, keyword), ownMember(after, keyword)];
    if (old === now || canonicalJson(old) === canonicalJson(now)) continue;
    const difference = textDifference(asText(old), asText(now));
    reportText(
      comparison,
      appendPointer(pointer, keyword),
      `The ${keyword} of ${placeOf(pointer)} changed; the model reads this text: ${difference}.`,
    );
  }
};

const admitted = (schema: SchemaObject): ReadonlySet<JsonType> => {
  const types = new Set<JsonType>(declaredTypes(schema) ?? JSON_TYPES);
  if (ownMember(schema, 'nullable') === true) types.add('null');
  if (types.has('number')) types.add('integer');
  return types;
};

const without = <T>(all: ReadonlySet<T>, those: ReadonlySet<T>): readonly T[] =>
  [...all].filter((one) => !those.has(one));

const compareTypes = ({ before, after, pointer }: Pair, comparison: Comparison): void => {
  if (before['type'] === after['type'] && before['nullable'] === after['nullable']) return;
  const [old, now] = [admitted(before), admitted(after)];
  const [gone, come] = [without(old, now), without(now, old)];
  if (gone.length === 0 && come.length === 0) return;
  const place = placeOf(pointer);
  const at = appendPointer(pointer, 'type');
  if (gone.length > 0 && come.length > 0) {
    reportEffect(
      comparison,
      'changed',
      at,
      `The type of ${place} changed from ${[...old].join(' or ')} to ${[...now].join(' or ')}.`,
    );
  } else if (gone.length > 0) {
    reportEffect(comparison, 'narrowed', at, `${place} may no longer be ${gone.join(' or ')}.`);
  } else if (come.length > 0) {
    reportEffect(comparison, 'widened', at, `${place} may now also be ${come.join(' or ')}.`);
  }
};

const permitted = (schema: SchemaObject): ReadonlyMap<string, unknown> | undefined => {
  const values = Object.hasOwn(schema, 'const') ? [schema['const']] : ownMember(schema, 'enum');
  return Array.isArray(values) ? new Map(values.map((value: unknown) => [canonicalJson(value), value])) : undefined;
};

const shown = (values: readonly string[]): string => values.slice(0, 10).join(', ') + (values.length > 10 ? ', …' : '');

const compareValues = ({ before, after, pointer }: Pair, comparison: Comparison): void => {
  const [old, now] = [permitted(before), permitted(after)];
  if (old === undefined && now === undefined) return;
  const place = placeOf(pointer);
  const at = appendPointer(pointer, Object.hasOwn(after, 'const') || Object.hasOwn(before, 'const') ? 'const' : 'enum');
  if (old !== undefined && now === undefined) {
    reportEffect(comparison, 'widened', at, `${place} is no longer limited to certain values.`);
  }
  if (now === undefined) return;
  const gone = [...(old ?? new Map<string, unknown>()).keys()].filter((key) => !now.has(key));
  const come = [...now.keys()].filter((key) => old?.has(key) !== true);
  if (old === undefined) {
    reportEffect(comparison, 'narrowed', at, `${place} is now limited to ${shown(come)}.`);
  } else {
    if (gone.length > 0) reportEffect(comparison, 'narrowed', at, `${place} may no longer be ${shown(gone)}.`);
    if (come.length > 0) reportEffect(comparison, 'widened', at, `${place} may now also be ${shown(come)}.`);
  }
  const texts = come.filter((key) => typeof now.get(key) === 'string');
  if (texts.length > 0) {
    reportText(comparison, at, `New values of ${place} are text that the model reads: ${shown(texts)}.`);
  }
};

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

const compareBounds = ({ before, after, pointer }: Pair, comparison: Comparison): void => {
  for (const keyword of [...LOWER, ...UPPER]) {
    const unbounded = UPPER.includes(keyword) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    const bound = (schema: SchemaObject): number => {
      const value = ownMember(schema, keyword);
      return typeof value === 'number' ? value : unbounded;
    };
    const [old, now] = [bound(before), bound(after)];
    if (old === now) continue;
    const effect = now < old === UPPER.includes(keyword) ? 'narrowed' : 'widened';
    reportEffect(
      comparison,
      effect,
      appendPointer(pointer, keyword),
      `${keyword} of ${placeOf(pointer)} went from ${old} to ${now}.`,
    );
  }
};

/** The text of a condition, with the definitions that it may refer to. */
const conditionText = (value: unknown, { root }: SchemaSide): string => {
  const text = canonicalJson(value);
  if (!text.includes('"$ref"') || !isJsonObject(root)) return text;
  const definitions = [ownMember(root, '$defs'), ownMember(root, 'definitions')];
  return text + canonicalJson(definitions.filter(isSchema).map((map) => withoutTexts({ properties: map })));
};

const compareOpaque = ({ before, after, pointer }: Pair, comparison: Comparison): void => {
  for (const keyword of ['pattern', 'format', 'multipleOf', 'uniqueItems', ...OPAQUE]) {
    const idle = keyword === 'uniqueItems' ? false : undefined;
    const [old, now] = [ownMember(before, keyword) ?? idle, ownMember(after, keyword) ?? idle];
    if (old === now || conditionText(old, comparison.before) === conditionText(now, comparison.after)) continue;
    const at = appendPointer(pointer, keyword);
    const place = placeOf(pointer);
    if (old === idle) reportEffect(comparison, 'narrowed', at, `${place} has a new condition: "${keyword}".`);
    else if (now === idle) reportEffect(comparison, 'widened', at, `${place} lost a condition: "${keyword}".`);
    else reportEffect(comparison, 'changed', at, `The condition "${keyword}" of ${place} changed.`);
  }
};

/** Everything that a schema says about a value apart from what is inside it. */
export const compareConstraints = (pair: Pair, comparison: Comparison): void => {
  compareTypes(pair, comparison);
  compareValues(pair, comparison);
  compareBounds(pair, comparison);
  compareOpaque(pair, comparison);
};
