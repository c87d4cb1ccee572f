import { isJsonObject } from '@plugboard/base';
import type { Grade } from '@plugboard/contract';
import { measure, type Measurement } from '../document/measure.js';
import { walkSchema, type SchemaNode } from '../document/walk-schema.js';
import { checkForm } from './check-form.js';
import { checkSatisfiable, checkStrict } from './check-strict.js';
import { createFindings, type Findings } from './findings.js';
import { gradeLikeLetta } from './letta.js';
import { openDocument } from './schema-document.js';
import { declaredTypes } from '../document/infer-types.js';
import { ownMember } from '../document/json-schema.js';
import type { NodeCheck } from './node-check.js';

export type GradeProfile = 'default' | 'letta';

export interface GradeOptions {
  readonly profile?: GradeProfile | undefined;
}

/** Positions where a schema only sets a condition, or that strict mode does not know anyway: their parent is reported. */
const CONDITIONAL: ReadonlySet<string | undefined> = new Set([
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
  'dependentSchemas',
  'dependencies',
  'contentSchema',
]);

const EXCESS = {
  cycle: 'The schema contains itself as an object, which JSON cannot express.',
  depth: 'The schema is nested too deeply.',
  nodes: 'The schema has too many parts.',
  size: 'The schema is too large.',
  'not-json': 'The schema contains something that is not JSON.',
} as const;

const safelyMeasured = (root: unknown): Measurement => {
  try {
    return measure(root);
  } catch {
    // only a hostile object throws when it is read
    return { ok: false, excess: 'not-json', pointer: '' };
  }
};

const COMBINING = ['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$dynamicRef', '$recursiveRef', 'enum', 'const'];

/** Does the root describe an object, plainly? */
const checkRoot: NodeCheck = ({ schema, document, findings }) => {
  const declared = declaredTypes(schema);
  const hasType = ownMember(schema, 'type') !== undefined;
  if (declared !== undefined && !declared.has('object')) return findings.add('SCH-02', '/type');
  const types = document.typesOf(schema)?.types;
  if (!hasType && types !== undefined && !types.has('object')) return findings.add('SCH-02', '');
  if (!hasType) findings.add('SCH-20', '');
  else if (typeof schema['type'] !== 'string') findings.add('SCH-20', '/type');
  const combining = COMBINING.find((keyword) => Object.hasOwn(schema, keyword));
  if (combining !== undefined) {
    findings.add('SCH-28', `/${combining}`, `The root has "${combining}", which several providers reject.`);
  }
};

const examine = (root: unknown, findings: Findings): void => {
  const document = openDocument(root);
  const conditional = new Set<SchemaNode>();
  walkSchema(root, (node) => {
    const { schema, parent, keyword } = node;
    const strict = !CONDITIONAL.has(keyword) && (parent === undefined || !conditional.has(parent));
    if (!strict) conditional.add(node);
    if (!isJsonObject(schema)) {
      if (strict && keyword !== 'additionalProperties') findings.add('SCH-30', node.pointer);
      return;
    }
    const examined = { schema, node, document, findings };
    if (parent === undefined) checkRoot(examined);
    checkForm(examined);
    if (!strict) return;
    checkSatisfiable(examined);
    // a map without a type for its values is reported at the map
    if (!(keyword === 'additionalProperties' && Object.keys(schema).length === 0)) checkStrict(examined);
  });
};

const gradeByDefault = (root: unknown): Grade => {
  const findings = createFindings();
  if (isJsonObject(root)) examine(root, findings);
  else findings.add('SCH-01', '');
  return findings.grade();
};

/** The grade of an input schema. Never throws, whatever it is given; nothing is fetched. */
export const gradeSchema = (schema: unknown, options: GradeOptions = {}): Grade => {
  const measured = safelyMeasured(schema);
  if (!measured.ok) {
    const findings = createFindings();
    const isJson = measured.excess !== 'not-json' && measured.excess !== 'cycle';
    findings.add(isJson ? 'SCH-13' : 'SCH-14', measured.pointer, EXCESS[measured.excess]);
    return findings.grade();
  }
  switch (options.profile ?? 'default') {
    case 'letta':
      return gradeLikeLetta(schema);
    case 'default':
      return gradeByDefault(schema);
  }
};
