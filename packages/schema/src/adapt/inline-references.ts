import { isRecord, type JsonSchema, type SchemaObject } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import { refOf, refResolver } from '../document/resolve-ref.js';
import { CannotRewrite } from './cannot-rewrite.js';
import { annotationsOf, describe } from './step/prose.js';
import type { Place, StepContext } from './step/step.js';

/** How often a definition may stand inside itself before the rest is left open. */
const RECURSION = 2;
const MAX_NODES = 1000;
const REFERENCE_KEYWORDS = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  '$defs',
  'definitions',
  '$anchor',
  '$dynamicAnchor',
];
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);

type Path = ReadonlyMap<string, number>;

const without = (schema: SchemaObject, keywords: readonly string[]): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** What stands beside a reference: texts replace the definition's own, constraints hold as well. */
const besideReference = (target: SchemaObject, beside: SchemaObject): SchemaObject => {
  if (Object.keys(beside).every((keyword) => ANNOTATIONS.has(keyword))) return { ...target, ...beside };
  return { ...annotationsOf(beside), allOf: [target, without(beside, ['title', 'description'])] };
};

/**
 * Writes out every reference, so that the later steps see a tree, and turns `true` and `false` into plain schemas.
 * A definition inside itself ends after a while in a value of any type: the model is told, and the original schema
 * still judges what comes back.
 */
export const inlineReferences = (root: SchemaObject, context: StepContext): SchemaObject => {
  const resolve = refResolver(root);
  let nodes = 0;

  const openEnd = (schema: SchemaObject, place: Place, ref: string): SchemaObject => {
    context.report(place, 'The schema refers to itself: from here on any value is taken.', 'wider');
    return describe(annotationsOf(schema), `Of the same form as ${ref.split('/').at(-1) || 'the whole'} further up.`);
  };

  const follow = (schema: SchemaObject, ref: string, place: Place, path: Path): SchemaObject => {
    const target = resolve(ref);
    if (!target.found) {
      throw new CannotRewrite(`The reference "${ref.slice(0, 80)}" leads nowhere.`, place.pointer, false);
    }
    const times = path.get(target.pointer) ?? 0;
    if (times >= RECURSION || nodes > MAX_NODES) return openEnd(schema, place, ref);
    context.report(place, 'A reference is written out.', 'same');
    const beside = without(schema, REFERENCE_KEYWORDS);
    const written = isRecord(target.schema) ? target.schema : plain(target.schema, place);
    return expand(besideReference(written, beside), place, new Map(path).set(target.pointer, times + 1));
  };

  const plain = (schema: JsonSchema, place: Place): SchemaObject => {
    if (isRecord(schema)) return schema;
    if (schema) return {};
    throw new CannotRewrite('A schema that takes no value at all stands where one is needed.', place.pointer);
  };

  const at = (place: Place, ...tokens: readonly (string | number)[]): Place => ({
    pointer: appendPointer(place.pointer, ...tokens),
    isRoot: false,
    level: place.level + 1,
  });

  const expandList = (list: readonly unknown[], keyword: string, place: Place, path: Path): readonly SchemaObject[] =>
    list
      .map((entry, index): readonly [unknown, Place] => [entry, at(place, keyword, index)])
      .filter(([entry]) => entry !== false || keyword === 'allOf')
      .map(([entry, where]) => expand(plain(entry as JsonSchema, where), where, path));

  const expandMember = (keyword: string, member: unknown, place: Place, path: Path): unknown => {
    switch (keyword) {
      case 'properties':
        return isRecord(member)
          ? Object.fromEntries(
              Object.entries(member)
                .filter(([, schema]) => schema !== false)
                .map(([key, schema]) => {
                  const where = at(place, keyword, key);
                  return [key, expand(plain(schema as JsonSchema, where), where, path)];
                }),
            )
          : member;
      case 'items':
        if (Array.isArray(member)) return expandList(member, keyword, place, path);
        return isRecord(member) ? expand(member, at(place, keyword), path) : {};
      case 'additionalProperties':
        return isRecord(member) ? expand(member, at(place, keyword), path) : member;
      case 'prefixItems':
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
        return Array.isArray(member) ? expandList(member, keyword, place, path) : member;
      default:
        return member;
    }
  };

  const expand = (schema: SchemaObject, place: Place, path: Path): SchemaObject => {
    nodes += 1;
    const ref = refOf(schema);
    if (ref !== undefined) return follow(schema, ref, place, path);
    // an array that takes no items is an empty one
    const empty = schema['items'] === false && !Object.hasOwn(schema, 'prefixItems') ? { maxItems: 0 } : {};
    return {
      ...Object.fromEntries(
        Object.entries(without(schema, REFERENCE_KEYWORDS)).map(([keyword, member]) => [
          keyword,
          expandMember(keyword, member, place, path),
        ]),
      ),
      ...empty,
    };
  };

  if (Object.hasOwn(root, '$defs') || Object.hasOwn(root, 'definitions')) {
    context.report({ pointer: '', isRoot: true, level: 0 }, 'Definitions are no longer needed.', 'same');
  }
  return expand(root, { pointer: '', isRoot: true, level: 0 }, new Map());
};
