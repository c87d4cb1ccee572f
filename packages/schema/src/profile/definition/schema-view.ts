import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { walkSchema, type SchemaNode } from '../../document/walk-schema.js';

/** A node whose schema is an object, which is what most rules speak about. */
export interface ObjectNode extends SchemaNode {
  readonly schema: SchemaObject;
}

/** A schema with all its nodes, walked once for every rule of a profile. */
export interface SchemaView {
  readonly root: unknown;
  readonly nodes: readonly SchemaNode[];
  readonly objects: readonly ObjectNode[];
  readonly complete: boolean;
}

const isObjectNode = (node: SchemaNode): node is ObjectNode => isJsonObject(node.schema);

export const viewSchema = (root: unknown): SchemaView => {
  const nodes: SchemaNode[] = [];
  const outcome = walkSchema(root, (node) => void nodes.push(node));
  return { root, nodes, objects: nodes.filter(isObjectNode), complete: outcome.complete };
};

/** The type names a schema lists; empty when it has no `type`. */
export const typesOf = (schema: SchemaObject): readonly string[] => {
  const type = ownMember(schema, 'type');
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((entry): entry is string => typeof entry === 'string') : [];
};

export const propertiesOf = (schema: SchemaObject): Readonly<Record<string, unknown>> => {
  const properties = ownMember(schema, 'properties');
  return isJsonObject(properties) ? properties : {};
};

export const requiredOf = (schema: SchemaObject): readonly string[] => {
  const required = ownMember(schema, 'required');
  return Array.isArray(required) ? required.filter((entry): entry is string => typeof entry === 'string') : [];
};

/** The values of `enum`; undefined when it is absent or no list. */
export const enumOf = (schema: SchemaObject): readonly unknown[] | undefined => {
  const values = ownMember(schema, 'enum');
  return Array.isArray(values) ? values : undefined;
};

/** The characters of all texts among the values. */
export const characters = (values: readonly unknown[]): number =>
  values.reduce<number>((total, value) => total + (typeof value === 'string' ? value.length : 0), 0);
