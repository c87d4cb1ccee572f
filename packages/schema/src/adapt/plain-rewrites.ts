import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../document/json-schema.js';
import { mapSchema } from '../document/map-schema.js';
import { malformedKeywords } from '../profile/check/well-formed.js';
import { typesOf } from '../profile/definition/schema-view.js';
import type { StepContext } from './step/step.js';

const placeAt = (pointer: string) => ({ pointer, isRoot: pointer === '', level: 0 });

const SILENT = new Set(['$schema', '$id', 'id', '$comment', 'x-order', 'deprecated', 'readOnly', 'writeOnly']);

/** Tuples of draft-07 in the spelling of 2020-12. */
const modernTuple = (node: SchemaObject): SchemaObject => {
  const items = ownMember(node, 'items');
  if (!Array.isArray(items)) return node;
  const { items: _items, additionalItems, ...rest } = node;
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
};

/** Keywords whose values have not the form that JSON Schema gives them: nobody could have enforced them. */
const withoutMalformed = (node: SchemaObject): SchemaObject => {
  const broken = new Set(malformedKeywords(node).map(({ keyword }) => keyword));
  return broken.size === 0
    ? node
    : Object.fromEntries(Object.entries(node).filter(([keyword]) => !broken.has(keyword)));
};

const withItems = (node: SchemaObject): SchemaObject =>
  typesOf(node).includes('array') && !Object.hasOwn(node, 'items') ? { ...node, items: {} } : node;

const withoutSilent = (node: SchemaObject, context: StepContext): SchemaObject =>
  Object.fromEntries(Object.entries(node).filter(([keyword]) => context.isAllowed(keyword) || !SILENT.has(keyword)));

const rewriteNode = (node: SchemaObject, pointer: string, context: StepContext): SchemaObject => {
  const place = placeAt(pointer);
  const modern = modernTuple(node);
  if (modern !== node) context.report(place, 'A tuple was rewritten in the syntax of JSON Schema 2020-12.', 'same');
  const sound = withoutMalformed(modern);
  if (sound !== modern) context.report(place, 'Keywords that JSON Schema does not allow here were removed.', 'wider');
  const complete = context.rule('array-items') === undefined ? sound : withItems(sound);
  if (complete !== sound) context.report(place, 'An array without items now allows any items.', 'same');
  const quiet = withoutSilent(complete, context);
  if (Object.keys(quiet).length === Object.keys(complete).length) return complete;
  context.report(place, 'Members that only name the schema were removed.', 'same');
  return quiet;
};

const completeRoot = (root: SchemaObject, context: StepContext): SchemaObject => {
  const type = ownMember(root, 'type');
  // arguments are always an object, whatever else the schema says of them
  const isUnsaid = type === undefined || (Array.isArray(type) && type.includes('object'));
  const typed = isUnsaid ? { ...root, type: 'object' } : root;
  if (typed !== root) context.report(placeAt(''), '"type": "object" was added to the root.', 'same');
  const needsProperties = context.rule('root-properties') !== undefined && !isJsonObject(typed['properties']);
  if (!needsProperties || typed['type'] !== 'object') return typed;
  context.report(placeAt(''), 'An empty "properties" was added to the root.', 'same');
  return { ...typed, properties: {} };
};

/** The rewrites that change no value and leave references alone: often all that a provider needs. */
export const rewritePlainly = (root: SchemaObject, context: StepContext): SchemaObject =>
  completeRoot(mapSchema(root, (node, pointer) => rewriteNode(node, pointer, context)) as SchemaObject, context);
