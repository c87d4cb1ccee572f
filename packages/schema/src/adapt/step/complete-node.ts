import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { typeOfValue } from '../../document/value-type.js';
import { propertiesOf, requiredOf, typesOf } from '../../profile/definition/schema-view.js';
import type { Place, Step, StepContext } from './step.js';

const narrowest = (values: readonly unknown[]): readonly string[] => {
  const types = new Set(values.map(typeOfValue).filter((type) => type !== undefined));
  if (types.has('number')) types.delete('integer');
  return [...types];
};

const constToEnum = (node: SchemaObject): SchemaObject => {
  if (!Object.hasOwn(node, 'const')) return node;
  const { const: value, ...rest } = node;
  return { ...rest, enum: [value] };
};

/** Adds the type of the enum's values, or the one that `properties` or `items` imply. */
const withType = (node: SchemaObject): SchemaObject => {
  if (Object.hasOwn(node, 'type') || Object.hasOwn(node, 'anyOf')) return node;
  const values = ownMember(node, 'enum');
  if (Array.isArray(values)) {
    const types = narrowest(values);
    return { ...node, type: types.length === 1 ? types[0] : types };
  }
  if (Object.hasOwn(node, 'properties') || isJsonObject(node['additionalProperties'])) {
    return { ...node, type: 'object' };
  }
  return Object.hasOwn(node, 'items') ? { ...node, type: 'array' } : node;
};

const withItems = (node: SchemaObject): SchemaObject =>
  typesOf(node).includes('array') && !isJsonObject(node['items']) ? { ...node, items: {} } : node;

const withRequired = (node: SchemaObject): SchemaObject => {
  const undeclared = requiredOf(node).filter((key) => !Object.hasOwn(propertiesOf(node), key));
  if (undeclared.length === 0 || !typesOf(node).includes('object')) return node;
  const additional = ownMember(node, 'additionalProperties');
  const schema = isJsonObject(additional) ? additional : {};
  const added = Object.fromEntries(undeclared.map((key) => [key, schema]));
  return { ...node, properties: { ...propertiesOf(node), ...added } };
};

const PARTS: readonly (readonly [(node: SchemaObject) => SchemaObject, string])[] = [
  [constToEnum, '"const" became an enum of one value.'],
  [withType, 'The implied type was declared.'],
  [withItems, 'An array without items now allows any items.'],
  [withRequired, 'A required property was declared.'],
];

const complete = (node: SchemaObject, place: Place, context: StepContext): SchemaObject =>
  PARTS.reduce((whole, [part, message]) => {
    const next = part(whole);
    if (next !== whole) context.report(place, message, 'same');
    return next;
  }, node);

/** Says explicitly what a schema leaves to be understood. */
export const completeNode: Step = {
  id: 'complete-node',
  order: 'down',
  rewrite: (node, place, context) => {
    const schema = complete(node, place, context);
    return schema === node ? undefined : { schema };
  },
};
