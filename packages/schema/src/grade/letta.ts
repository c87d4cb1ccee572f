import { isJsonObject } from '@plugboard/base';
import type { Grade, GradeReason, GradeStatus } from '@plugboard/contract';
import { isJsonType, ownMember, type SchemaObject } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';

/** The rules of the original, with their gaps: the profile exists to say what Letta says. */
interface LettaFindings {
  readonly invalid: (rule: string, pointer: string, message: string) => void;
  readonly nonStrict: (rule: string, pointer: string, message: string) => void;
}

const show = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));

const UNIONS = ['anyOf', 'oneOf', 'allOf'] as const;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const allowsNoItems = (property: SchemaObject): boolean => {
  const minimum = ownMember(property, 'minItems');
  return !(typeof minimum === 'number' && minimum > 0) && !Object.hasOwn(property, 'items');
};

const checkRequired = (schema: SchemaObject, pointer: string, found: LettaFindings): void => {
  const required = ownMember(schema, 'required');
  if (required === undefined) return;
  if (!Array.isArray(required)) return found.invalid('V8', pointer, "'required' must be a list");
  const declared = ownMember(schema, 'properties');
  const properties = isJsonObject(declared) ? declared : {};
  const someDeclared = Object.keys(properties).length > 0;
  for (const name of required.map(show)) {
    const property = ownMember(properties, name);
    if (property === undefined) {
      if (someDeclared) found.invalid('V9', pointer, `required contains '${name}' not found in properties`);
    } else if (isJsonObject(property)) {
      const type = ownMember(property, 'type');
      if (
        type === 'object' &&
        isEmpty(ownMember(property, 'required')) &&
        ownMember(property, 'additionalProperties') === false
      ) {
        found.invalid('V10', pointer, `required property '${name}' allows empty object`);
      }
      if (type === 'array' && allowsNoItems(property)) {
        found.invalid('V11', pointer, `required property '${name}' allows empty array`);
      }
    }
  }
};

const checkObject = (schema: SchemaObject, pointer: string, found: LettaFindings): void => {
  const properties = ownMember(schema, 'properties');
  if (properties !== undefined && !isJsonObject(properties)) {
    return found.invalid('V4', pointer, "'properties' must be a dict for objects");
  }
  const additional = ownMember(schema, 'additionalProperties');
  if (additional === undefined) {
    found.nonStrict('V5', pointer, "'additionalProperties' not explicitly set");
  } else if (additional !== false) {
    found.nonStrict('V6', pointer, "'additionalProperties' is not false (free-form object)");
  }
  checkRequired(schema, pointer, found);
  for (const [name, property] of Object.entries(properties ?? {})) {
    const at = appendPointer(pointer, 'properties', name);
    if (isJsonObject(property)) checkNode(property, at, found);
    else found.invalid('V12', at, 'Not a valid schema dict');
  }
};

const checkArray = (schema: SchemaObject, pointer: string, found: LettaFindings): void => {
  const items = ownMember(schema, 'items');
  if (items === undefined || items === null) {
    found.invalid('V14', pointer, "'items' must be defined for arrays in strict mode");
  } else if (isJsonObject(items)) {
    checkNode(items, appendPointer(pointer, 'items'), found);
  } else {
    found.invalid('V15', pointer, "'items' must be a schema dict for arrays");
  }
};

const checkUnions = (schema: SchemaObject, pointer: string, found: LettaFindings): void => {
  for (const keyword of UNIONS) {
    if (!Object.hasOwn(schema, keyword)) continue;
    const members = schema[keyword];
    if (!Array.isArray(members)) {
      found.invalid('V19', pointer, `'${keyword}' must be a list`);
      continue;
    }
    for (const [index, member] of members.entries()) {
      if (isJsonObject(member)) {
        checkNode(member, appendPointer(pointer, keyword, index), found);
      } else {
        found.invalid('V20', appendPointer(pointer, keyword, index), `${keyword}[${index}]: Not a valid schema dict`);
      }
    }
  }
};

const inferType = (schema: SchemaObject): unknown => {
  const type = ownMember(schema, 'type');
  if (type !== undefined && type !== null) return type;
  if (Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'additionalProperties')) return 'object';
  return Object.hasOwn(schema, 'items') ? 'array' : undefined;
};

const checkNode = (schema: SchemaObject, pointer: string, found: LettaFindings): void => {
  const type = inferType(schema);
  if (type === undefined && !UNIONS.some((keyword) => Object.hasOwn(schema, keyword))) {
    return found.invalid('V3', pointer, "Missing 'type'");
  }
  if (type === 'object') {
    checkObject(schema, pointer, found);
  } else if (type === 'array') {
    checkArray(schema, pointer, found);
  } else if (Array.isArray(type)) {
    for (const name of type) {
      if (!isJsonType(name)) found.invalid('V18', pointer, `Invalid type '${show(name)}' in type array`);
    }
  }
  checkUnions(schema, pointer, found);
};

/** Grades as Letta does. The document must have been measured: this recurses as deep as it goes. */
export const gradeLikeLetta = (root: unknown): Grade => {
  const reasons: GradeReason[] = [];
  let status: GradeStatus = 'STRICT_COMPLIANT';
  const found: LettaFindings = {
    invalid: (rule, pointer, message) => {
      status = 'INVALID';
      reasons.push({ rule, pointer, message });
    },
    nonStrict: (rule, pointer, message) => {
      if (status === 'STRICT_COMPLIANT') status = 'NON_STRICT_ONLY';
      reasons.push({ rule, pointer, message });
    },
  };
  if (!isJsonObject(root)) {
    found.invalid('V1', '', 'Top-level schema must be a dict');
    return { status, reasons };
  }
  if (ownMember(root, 'type') !== 'object') found.invalid('V2', '', "Top-level schema 'type' must be 'object'");
  checkNode(root, '', found);
  return { status, reasons };
};
