import { isJsonObject } from '@plugboard/base';
import { declaredTypes } from '../document/infer-types.js';
import { ownMember, type JsonType, type SchemaObject } from '../document/json-schema.js';
import { appendPointer } from '../document/pointer.js';
import { refOf } from '../document/resolve-ref.js';
import type { NodeCheck } from './node-check.js';
import { isUnavoidable, undeclaredNames } from './satisfiable.js';

const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
]);

const FOREIGN = [
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'patternProperties',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
] as const;

const GIVES_TYPE = ['type', 'enum', 'const', '$ref', '$dynamicRef', '$recursiveRef', 'anyOf', 'oneOf', 'allOf'];

const checkTyped: NodeCheck = ({ schema, node, document, findings }) => {
  if (node.parent === undefined || GIVES_TYPE.some((keyword) => Object.hasOwn(schema, keyword))) return;
  findings.add(document.typesOf(schema) === undefined ? 'SCH-24' : 'SCH-25', node.pointer);
};

const describesObject = (schema: SchemaObject, types: ReadonlySet<JsonType> | undefined, isRoot: boolean): boolean => {
  if (types?.has('object') === true) return true;
  if (types !== undefined) return false;
  return Object.hasOwn(schema, 'properties') || Object.hasOwn(schema, 'additionalProperties') || isRoot;
};

const checkObject: NodeCheck = ({ schema, node, findings }) => {
  const isRoot = node.parent === undefined;
  if (!describesObject(schema, declaredTypes(schema), isRoot)) return;
  const additional = ownMember(schema, 'additionalProperties');
  if (additional === false) return;
  // what a reference leads to says itself whether it is open
  if (refOf(schema) !== undefined && !Object.hasOwn(schema, 'properties') && additional === undefined) return;
  const properties = ownMember(schema, 'properties');
  const declares = isJsonObject(properties) && Object.keys(properties).length > 0;
  if (!declares && (additional === undefined || additional === true)) {
    const patterns = ownMember(schema, 'patternProperties');
    if (patterns === undefined) findings.add('SCH-23', node.pointer);
    else findings.add('SCH-22', node.pointer);
  } else {
    findings.add(additional === undefined ? 'SCH-21' : 'SCH-22', node.pointer);
  }
};

const checkRequired: NodeCheck = ({ schema, node, document, findings }) => {
  const { impossible, undeclared } = undeclaredNames(schema);
  const fatal = impossible.length > 0 && isUnavoidable(node, document);
  const at = appendPointer(node.pointer, 'required');
  for (const name of impossible) {
    if (fatal) {
      findings.add('SCH-11', at, `"${name}" is required, and the object can never have it: no arguments are valid.`);
    } else {
      findings.add('SCH-31', at, `"${name}" is required, and the object can never have it.`);
    }
  }
  const inPlace = node.parent !== undefined && ['allOf', 'anyOf', 'oneOf'].includes(node.keyword ?? '');
  if (inPlace) return;
  for (const name of undeclared) findings.add('SCH-31', at, `"${name}" is required, and not declared.`);
};

const checkArray: NodeCheck = ({ schema, node, findings }) => {
  const items = ownMember(schema, 'items');
  if (Object.hasOwn(schema, 'prefixItems') || Array.isArray(items)) return findings.add('SCH-27', node.pointer);
  if (items !== undefined || refOf(schema) !== undefined) return;
  if (declaredTypes(schema)?.has('array') === true) findings.add('SCH-26', node.pointer);
};

const checkKeywords: NodeCheck = ({ schema, node, findings }) => {
  for (const keyword of FOREIGN) {
    if (Object.hasOwn(schema, keyword)) {
      findings.add('SCH-29', appendPointer(node.pointer, keyword), `Strict mode does not know "${keyword}".`);
    }
  }
  const format = ownMember(schema, 'format');
  if (typeof format === 'string' && !FORMATS.has(format)) {
    findings.add(
      'SCH-32',
      appendPointer(node.pointer, 'format'),
      `Strict mode does not know the format "${format.slice(0, 64)}".`,
    );
  }
};

/** Could a provider hold the model to this schema exactly? */
export const checkStrict: NodeCheck = (examined) => {
  checkTyped(examined);
  checkObject(examined);
  checkArray(examined);
  checkKeywords(examined);
};

/** Can the required names be given at all? */
export const checkSatisfiable: NodeCheck = checkRequired;
