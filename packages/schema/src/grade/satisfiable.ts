import { isJsonObject } from '@plugboard/base';
import { ownMember, type SchemaObject } from '../document/json-schema.js';
import type { SchemaNode } from '../document/walk-schema.js';
import type { SchemaDocument } from './schema-document.js';

const names = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];

const hasMembers = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length > 0;

const admitsNothing = (schema: unknown): boolean => {
  const values = isJsonObject(schema) ? ownMember(schema, 'enum') : undefined;
  return schema === false || (Array.isArray(values) && values.length === 0);
};

export interface UndeclaredNames {
  /** Required, not declared, and the object is closed: it can never be satisfied. */
  readonly impossible: readonly string[];
  /** Required and not declared anywhere in this schema. */
  readonly undeclared: readonly string[];
}

const COMBINED = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies'];

/** The required names that the schema itself does not describe. */
export const undeclaredNames = (schema: SchemaObject): UndeclaredNames => {
  const properties = ownMember(schema, 'properties');
  const declared = isJsonObject(properties) ? properties : {};
  const required = names(ownMember(schema, 'required'));
  const closed = ownMember(schema, 'additionalProperties') === false;
  const missing = hasMembers(ownMember(schema, 'patternProperties'))
    ? []
    : required.filter((name) => !Object.hasOwn(declared, name));
  const forbidden = required.filter((name) => admitsNothing(ownMember(declared, name)));
  // what a combined schema does not declare may be declared by the schemas that it is combined with
  const combined = COMBINED.some((keyword) => Object.hasOwn(schema, keyword));
  return {
    impossible: [...(closed ? missing : []), ...forbidden],
    undeclared: combined || closed ? [] : missing,
  };
};

const isSurelyObject = (schema: SchemaObject, document: SchemaDocument): boolean => {
  const types = document.typesOf(schema)?.types;
  return types?.size === 1 && types.has('object');
};

/** Must every set of arguments contain an object here? Then what cannot be satisfied here makes the tool unusable. */
export const isUnavoidable = (node: SchemaNode, document: SchemaDocument): boolean => {
  for (let current = node; current.parent !== undefined; current = current.parent) {
    const parent = current.parent.schema;
    if (!isJsonObject(parent)) return false;
    if (current.keyword === 'allOf') continue;
    if (current.keyword !== 'properties' || current.key === undefined) return false;
    if (!names(ownMember(parent, 'required')).includes(current.key)) return false;
    if (!isJsonObject(current.schema) || !isSurelyObject(current.schema, document)) return false;
  }
  return true;
};
