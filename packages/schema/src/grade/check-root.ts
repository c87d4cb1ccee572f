import { declaredTypes } from '../document/infer-types.js';
import { ownMember } from '../document/json-schema.js';
import type { NodeCheck } from './node-check.js';

const COMBINING = ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$dynamicRef', '$recursiveRef', 'enum', 'const'];

/** Does the root describe an object, plainly? */
export const checkRoot: NodeCheck = ({ schema, document, findings }) => {
  const declared = declaredTypes(schema);
  const hasType = ownMember(schema, 'type') !== undefined;
  if (declared !== undefined && !declared.has('object')) return findings.add('SCH-02', '/type');
  const types = document.typesOf(schema)?.types;
  if (!hasType && types !== undefined && !types.has('object')) return findings.add('SCH-02', '');
  if (!hasType) findings.add('SCH-20', '');
  else if (typeof schema['type'] !== 'string') findings.add('SCH-20', '/type');
  const combining = COMBINING.find((keyword) => Object.hasOwn(schema, keyword));
  if (combining !== undefined) {
    findings.add('SCH-28', `/${combining}`, `The root has "${combining}", which several providers refuse.`);
  }
};
