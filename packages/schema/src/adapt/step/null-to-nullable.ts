import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { typesOf } from '../../profile/definition/schema-view.js';
import type { Step } from './step.js';

const isNull = (schema: unknown): boolean => isJsonObject(schema) && schema['type'] === 'null';

const fromUnion = (node: SchemaObject, branches: readonly unknown[]): SchemaObject | undefined => {
  const others = branches.filter((branch) => !isNull(branch));
  if (others.length === branches.length || others.length === 0) return undefined;
  const { anyOf: _branches, ...rest } = node;
  const [first] = others;
  return others.length === 1 && isJsonObject(first)
    ? { ...first, ...rest, nullable: true }
    : { ...rest, anyOf: others, nullable: true };
};

const fromTypes = (node: SchemaObject): SchemaObject | undefined => {
  const types = typesOf(node);
  const others = types.filter((type) => type !== 'null');
  if (!Array.isArray(node['type']) || others.length !== 1) return undefined;
  const values = ownMember(node, 'enum');
  const present = Array.isArray(values) ? { enum: values.filter((value: unknown) => value !== null) } : {};
  return { ...node, ...present, type: others[0], ...(types.length > 1 ? { nullable: true } : {}) };
};

/** OpenAPI's way to say that a value may be null. Values stay as they are. */
export const nullToNullable: Step = {
  id: 'null-to-nullable',
  order: 'up',
  serves: ['single-type'],
  rewrite: (node, place, { report }) => {
    const branches = ownMember(node, 'anyOf');
    const schema = Array.isArray(branches) ? fromUnion(node, branches) : fromTypes(node);
    if (schema === undefined) return undefined;
    report(place, 'Null is allowed by "nullable".', 'same');
    return { schema };
  },
};
