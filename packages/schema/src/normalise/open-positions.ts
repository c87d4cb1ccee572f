import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../document/json-schema.js';
import { IN_PLACE } from '../document/keyword.js';
import { refOf, type RefResolver } from '../document/resolve-ref.js';
import { walkSchema, type SchemaNode } from '../document/walk-schema.js';

/** Keywords beside a `$ref` or `anyOf` that say nothing about which objects are valid. */
const NEUTRAL: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'nullable',
  '$comment',
  '$schema',
  '$id',
  '$anchor',
  '$defs',
  'definitions',
]);

const ALTERNATIVES: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);

const CONDITIONS: ReadonlySet<string> = new Set([
  'propertyNames',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contentSchema',
]);

/** Is `keyword` all that the schema says about its value? */
const standsAlone = (schema: SchemaObject, keyword: string): boolean =>
  Object.keys(schema).every((key) => key === keyword || NEUTRAL.has(key));

/** A branch that is judged together with something else, or only as a condition. */
const isPartial = ({ keyword, parent }: SchemaNode): boolean => {
  if (keyword === undefined || parent === undefined || !isJsonObject(parent.schema)) return false;
  if (ALTERNATIVES.has(keyword)) return !standsAlone(parent.schema, keyword);
  return IN_PLACE.has(keyword) || CONDITIONS.has(keyword);
};

const refTarget = (schema: SchemaObject, resolve: RefResolver): string | undefined => {
  const ref = refOf(schema);
  const resolution = ref === undefined ? undefined : resolve(ref);
  return resolution?.found === true ? resolution.pointer : undefined;
};

/**
 * Pointers of the schemas that must stay as open as they are: they describe only a part of a value (`allOf`, a branch
 * beside other keywords) or a condition (`not`, `if`), or something refers to them from such a place. Closing them
 * would refuse what the whole accepts.
 */
export const openPositions = (root: unknown, resolve: RefResolver): ReadonlySet<string> => {
  const nodes = new Map<string, SchemaNode>();
  const children = new Map<string, string[]>();
  const pending: string[] = [];
  walkSchema(root, (node) => {
    nodes.set(node.pointer, node);
    children.set(node.pointer, []);
    if (node.parent !== undefined) children.get(node.parent.pointer)?.push(node.pointer);
    if (isPartial(node)) pending.push(node.pointer);
    if (!isJsonObject(node.schema)) return;
    const target = refTarget(node.schema, resolve);
    if (target !== undefined && Object.hasOwn(node.schema, '$ref') && !standsAlone(node.schema, '$ref')) {
      pending.push(target);
    }
  });
  const open = new Set<string>();
  for (let pointer = pending.pop(); pointer !== undefined; pointer = pending.pop()) {
    if (open.has(pointer)) continue;
    open.add(pointer);
    pending.push(...(children.get(pointer) ?? []));
    const schema = nodes.get(pointer)?.schema;
    const target = isJsonObject(schema) ? refTarget(schema, resolve) : undefined;
    if (target !== undefined) pending.push(target);
  }
  return open;
};

/** May the object be closed without refusing what its own keywords allow? */
export const isClosable = (schema: SchemaObject, isRoot: boolean): boolean => {
  const properties = ownMember(schema, 'properties');
  if (!isJsonObject(properties)) return false;
  // a nested object that declares nothing is free-form; a root that does so takes no parameters
  if (Object.keys(properties).length === 0 && !isRoot) return false;
  const combined = ['$ref', '$dynamicRef', '$recursiveRef', 'patternProperties', 'unevaluatedProperties', ...IN_PLACE];
  if (combined.some((keyword) => Object.hasOwn(schema, keyword))) return false;
  const required = ownMember(schema, 'required');
  return (
    required === undefined ||
    (Array.isArray(required) && required.every((name) => Object.hasOwn(properties, String(name))))
  );
};
