import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../../document/json-schema.js';
import { propertiesOf, requiredOf, typesOf } from '../../profile/definition/schema-view.js';
import type { ValueMapping } from '../mapping/mapping.js';
import { annotationsOf } from './prose.js';
import type { Step } from './step.js';

const NULL: SchemaObject = { type: 'null' };

const branchesOf = (schema: SchemaObject): readonly unknown[] => {
  const branches = ownMember(schema, 'anyOf');
  return Array.isArray(branches) ? branches : [];
};

/** Does the schema take null already? */
const takesNull = (schema: unknown): boolean => {
  if (!isJsonObject(schema)) return schema === true;
  const values = ownMember(schema, 'enum');
  if (Array.isArray(values) && !values.includes(null)) return false;
  const types = typesOf(schema);
  if (types.length > 0) return types.includes('null');
  return Object.hasOwn(schema, 'anyOf') ? branchesOf(schema).some(takesNull) : true;
};

/** The same schema, and null. */
const orNull = (schema: SchemaObject): SchemaObject => {
  if (takesNull(schema)) return schema;
  if (Object.hasOwn(schema, 'anyOf')) return { ...schema, anyOf: [...branchesOf(schema), NULL] };
  const type = schema['type'];
  if (typeof type === 'string' && type !== 'object' && type !== 'array') {
    const values = ownMember(schema, 'enum');
    return { ...schema, type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
  }
  const { title: _title, description: _description, ...value } = schema;
  return { ...annotationsOf(schema), anyOf: [value, NULL] };
};

/** Every property is required; null stands for one that is left out. */
export const optionalToNullable: Step = {
  id: 'optional-to-nullable',
  order: 'up',
  serves: ['all-required'],
  rewrite: (node, place, { report }) => {
    const properties = propertiesOf(node);
    const required = new Set(requiredOf(node));
    const optional = Object.keys(properties).filter((key) => !required.has(key));
    if (optional.length === 0) return undefined;
    for (const key of optional) {
      // null and absent are two things here, and only one of them can be said
      if (takesNull(properties[key])) {
        report(place, `"${key}" can no longer be null; null means that it is omitted.`, 'narrower');
      } else {
        report(place, `"${key}" is required; null means that it is omitted.`, 'same');
      }
    }
    const isOptional = new Set(optional);
    return {
      schema: {
        ...node,
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, schema]) => [
            key,
            isOptional.has(key) && isJsonObject(schema) ? orNull(schema) : schema,
          ]),
        ),
        required: Object.keys(properties),
      },
      mapping: { op: 'omit-null', keys: optional },
    };
  },
};

export const omitNullMapping: ValueMapping<'omit-null'> = {
  forward: ({ keys }, value) =>
    isJsonObject(value) ? { ...Object.fromEntries(keys.map((key) => [key, null])), ...value } : value,
  restore: ({ keys }, value) => {
    if (!isJsonObject(value)) return value;
    const optional = new Set(keys);
    return Object.fromEntries(Object.entries(value).filter(([key, member]) => member !== null || !optional.has(key)));
  },
};
