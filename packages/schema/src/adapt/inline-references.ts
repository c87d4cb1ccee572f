import { isJsonObject } from '@plugboard/base';
import type { JsonSchema, SchemaObject } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import { refOf, refResolver, type RefResolver } from '../document/resolve-ref.js';
import { CannotRewrite } from './step/cannot-rewrite.js';
import { annotationsOf, describe } from './step/prose.js';
import type { Place, StepContext } from './step/step.js';

/** How often a definition may stand inside itself before the rest is left open. */
const RECURSION = 2;
const MAX_NODES = 1000;
const MAX_LEVELS = 100;
const REFERENCE_KEYWORDS = new Set(
  '$ref $dynamicRef $recursiveRef $defs definitions $anchor $dynamicAnchor'.split(' '),
);
const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']);
const ROOT: Place = { pointer: '', isRoot: true, level: 0 };

/** The definitions around a node, and how often each was entered. */
type Path = ReadonlyMap<string, number>;

const ownEntries = (schema: SchemaObject): readonly (readonly [string, unknown])[] =>
  Object.entries(schema).filter(([keyword]) => !REFERENCE_KEYWORDS.has(keyword));

/** What stands beside a reference: texts replace the definition's own, constraints hold as well. */
const besideReference = (target: SchemaObject, beside: SchemaObject): SchemaObject => {
  if (Object.keys(beside).every((keyword) => ANNOTATIONS.has(keyword))) return { ...target, ...beside };
  const { title: _title, description: _description, ...constraints } = beside;
  return { ...annotationsOf(beside), allOf: [target, constraints] };
};

const at = (place: Place, ...tokens: readonly (string | number)[]): Place => ({
  pointer: appendPointer(place.pointer, ...tokens),
  isRoot: false,
  level: place.level + 1,
});

const plain = (schema: JsonSchema, place: Place): SchemaObject => {
  if (isJsonObject(schema)) return schema;
  if (schema) return {};
  throw new CannotRewrite('A required value has a schema that accepts nothing.', place.pointer);
};

class Inliner {
  readonly #resolve: RefResolver;
  readonly #context: StepContext;
  #nodes = 0;

  constructor(root: SchemaObject, context: StepContext) {
    this.#resolve = refResolver(root);
    this.#context = context;
  }

  expand(schema: SchemaObject, place: Place, path: Path): SchemaObject {
    this.#nodes += 1;
    const ref = refOf(schema);
    if (ref !== undefined) return this.#follow(schema, ref, place, path);
    const members = ownEntries(schema).map(([keyword, member]) => [
      keyword,
      this.#member(keyword, member, place, path),
    ]);
    // an array that takes no items is an empty one
    const isEmpty = schema['items'] === false && !Object.hasOwn(schema, 'prefixItems');
    return { ...(Object.fromEntries(members) as SchemaObject), ...(isEmpty ? { maxItems: 0 } : {}) };
  }

  #follow(schema: SchemaObject, ref: string, place: Place, path: Path): SchemaObject {
    const target = this.#resolve(ref);
    if (!target.found) {
      throw new CannotRewrite(`The reference "${ref.slice(0, 80)}" has no target.`, place.pointer, false);
    }
    const times = path.get(target.pointer) ?? 0;
    const isTooMuch = this.#nodes > MAX_NODES || place.level > MAX_LEVELS;
    if (times >= RECURSION || isTooMuch) return this.#openEnd(schema, ref, place);
    this.#context.report(place, 'A reference was replaced by its target.', 'same');
    const beside = Object.fromEntries(ownEntries(schema));
    const written = besideReference(plain(target.schema, place), beside);
    return this.expand(written, place, new Map(path).set(target.pointer, times + 1));
  }

  #openEnd(schema: SchemaObject, ref: string, place: Place): SchemaObject {
    this.#context.report(
      place,
      'The schema refers to itself or is too large to inline: any value is accepted here.',
      'wider',
    );
    return describe(annotationsOf(schema), `Of the form that is called ${ref.split('/').at(-1) || 'the whole'}.`);
  }

  #member(keyword: string, member: unknown, place: Place, path: Path): unknown {
    switch (keyword) {
      case 'properties':
        return isJsonObject(member) ? this.#properties(member, place, path) : member;
      case 'items':
        if (Array.isArray(member)) return this.#list(member, keyword, place, path);
        return isJsonObject(member) ? this.expand(member, at(place, keyword), path) : {};
      case 'additionalProperties':
        return isJsonObject(member) ? this.expand(member, at(place, keyword), path) : member;
      case 'prefixItems':
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
        return Array.isArray(member) ? this.#list(member, keyword, place, path) : member;
      default:
        return member;
    }
  }

  #properties(members: SchemaObject, place: Place, path: Path): SchemaObject {
    return Object.fromEntries(
      Object.entries(members)
        .filter(([, schema]) => schema !== false)
        .map(([key, schema]) => {
          const where = at(place, 'properties', key);
          return [key, this.expand(plain(schema as JsonSchema, where), where, path)];
        }),
    );
  }

  #list(list: readonly unknown[], keyword: string, place: Place, path: Path): readonly SchemaObject[] {
    return list
      .map((entry, index): readonly [unknown, Place] => [entry, at(place, keyword, index)])
      .filter(([entry]) => entry !== false || keyword === 'allOf')
      .map(([entry, where]) => this.expand(plain(entry as JsonSchema, where), where, path));
  }
}

/**
 * Writes out every reference, so that the later steps see a tree, and turns `true` and `false` into plain schemas.
 * A definition inside itself ends after a while in a value of any type: the model is told, and the original schema
 * still judges what comes back.
 */
export const inlineReferences = (root: SchemaObject, context: StepContext): SchemaObject => {
  if (Object.hasOwn(root, '$defs') || Object.hasOwn(root, 'definitions')) {
    context.report(ROOT, 'Definitions are no longer needed.', 'same');
  }
  return new Inliner(root, context).expand(root, ROOT, new Map());
};
