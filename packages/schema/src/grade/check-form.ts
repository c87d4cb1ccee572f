import { isJsonObject } from '@plugboard/base';
import { declaredTypes } from '../document/infer-types.js';
import { isSchema, ownMember } from '../document/json-schema.js';
import { APPLICATORS } from '../document/keyword.js';
import { appendPointer } from '../document/pointer.js';
import type { Examined, NodeCheck } from './node-check.js';

/** `dependencies` may list names, and so may be passed over; every other member of a map must be a schema. */
const mayHoldNames = (keyword: string, member: unknown): boolean => keyword === 'dependencies' && Array.isArray(member);

const checkMap = (keyword: string, value: unknown, { node, findings }: Examined): void => {
  const pointer = appendPointer(node.pointer, keyword);
  if (!isJsonObject(value)) return findings.add('SCH-04', pointer, `"${keyword}" must map names to schemas.`);
  for (const [name, member] of Object.entries(value)) {
    if (!isSchema(member) && !mayHoldNames(keyword, member)) findings.add('SCH-06', appendPointer(pointer, name));
  }
};

const checkList = (keyword: string, value: unknown, { node, findings }: Examined): void => {
  const pointer = appendPointer(node.pointer, keyword);
  if (!Array.isArray(value) || value.length === 0) {
    return findings.add('SCH-07', pointer, `"${keyword}" must be a list with at least one schema.`);
  }
  for (const [index, member] of value.entries()) {
    if (!isSchema(member)) findings.add('SCH-06', appendPointer(pointer, index));
  }
};

const checkApplicators: NodeCheck = (examined) => {
  const { schema, node, document, findings } = examined;
  for (const [keyword, value] of Object.entries(schema)) {
    const holding = APPLICATORS.get(keyword);
    if (holding === undefined) continue;
    if (holding === 'map') {
      checkMap(keyword, value, examined);
    } else if (holding === 'list') {
      checkList(keyword, value, examined);
    } else if (holding === 'mixed' && Array.isArray(value) && document.dialect === 'draft-07') {
      checkList(keyword, value, examined);
    } else if (!isSchema(value)) {
      findings.add('SCH-06', appendPointer(node.pointer, keyword));
    }
  }
};

const checkType: NodeCheck = ({ schema, node, findings }) => {
  if (Object.hasOwn(schema, 'type') && declaredTypes(schema) === undefined) {
    findings.add('SCH-03', appendPointer(node.pointer, 'type'));
  }
};

const checkLists: NodeCheck = ({ schema, node, findings }) => {
  const required = ownMember(schema, 'required');
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === 'string'))) {
    findings.add('SCH-05', appendPointer(node.pointer, 'required'));
  }
  const values = ownMember(schema, 'enum');
  if (values === undefined) return;
  const at = appendPointer(node.pointer, 'enum');
  if (!Array.isArray(values)) findings.add('SCH-12', at);
  else if (values.length === 0) findings.add('SCH-36', at);
};

const KINDS = {
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  count: [
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
    'minContains',
    'maxContains',
  ],
  string: ['pattern', 'format', 'description', 'title'],
  boolean: ['uniqueItems'],
} as const;

const isOfKind = (kind: keyof typeof KINDS, value: unknown): boolean =>
  kind === 'count' ? Number.isInteger(value) && Number(value) >= 0 : typeof value === kind;

const checkConstraints: NodeCheck = ({ schema, node, findings }) => {
  for (const kind of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    for (const keyword of KINDS[kind]) {
      const value = ownMember(schema, keyword);
      if (value !== undefined && !isOfKind(kind, value)) {
        findings.add('SCH-33', appendPointer(node.pointer, keyword), `The value of "${keyword}" is of the wrong kind.`);
      }
    }
  }
};

const checkRefs: NodeCheck = ({ schema, node, document, findings }) => {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const ref = ownMember(schema, keyword);
    if (ref === undefined) continue;
    const pointer = appendPointer(node.pointer, keyword);
    const resolution = typeof ref === 'string' ? document.resolve(ref) : undefined;
    if (resolution === undefined) findings.add('SCH-08', pointer, 'The reference is not text.');
    else if (!resolution.found) findings.add(resolution.why === 'remote' ? 'SCH-09' : 'SCH-08', pointer);
  }
  if (document.endless.has(schema)) findings.add('SCH-10', node.pointer);
};

/** Is every keyword of the form that its definition asks for? */
export const checkForm: NodeCheck = (examined) => {
  checkType(examined);
  checkApplicators(examined);
  checkLists(examined);
  checkRefs(examined);
  checkConstraints(examined);
};
