import { isJsonObject } from '@plugboard/base';
import { declaredTypes } from '../document/infer-types.js';
import { ownMember, type SchemaObject } from '../document/json-schema.js';
import { withMembers } from './member/repair.js';

type Definition = Readonly<Record<string, unknown>>;

/** Legacy clients want an object for each property: `true` and `false` can be said as one. */
const asObject = (schema: unknown): unknown => {
  if (schema === true) return {};
  return schema === false ? { not: {} } : schema;
};

const propertyObjects = (properties: unknown): unknown => {
  if (!isJsonObject(properties)) return properties;
  if (!Object.values(properties).some((schema) => typeof schema === 'boolean')) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, asObject(schema)]));
};

const withPropertyObjects = (schema: unknown): unknown =>
  isJsonObject(schema) ? withMembers(schema, { properties: propertyObjects }) : schema;

/** A legacy result is an object or it is none, so a schema of results that permits objects means those. */
const asObjectRoot = (schema: SchemaObject): SchemaObject | undefined => {
  if (schema['type'] === 'object') return schema;
  const isOpen = ownMember(schema, 'type') === undefined || declaredTypes(schema)?.has('object') === true;
  return isOpen ? { ...schema, type: 'object' } : undefined;
};

/** A repaired definition in the form that legacy clients accept: schemas are objects, at the root and for each property. */
export const legacyDefinition = <Tool extends Definition>(definition: Tool): Tool =>
  withMembers(definition, {
    inputSchema: withPropertyObjects,
    outputSchema: (schema) => (isJsonObject(schema) ? withPropertyObjects(asObjectRoot(schema)) : undefined),
  }) as Tool;
