import { isJsonObject } from '@plugboard/base';
import type { Grade, ToolDefinition } from '@plugboard/contract';
import { gradeSchema, type GradeOptions } from './grade-schema.js';
import { outputCompileFault } from '../repair/member/output-schema.js';
import { unfitMembers } from '../repair/member/tool-members.js';
import { createFindings } from './findings.js';
import { isRuleId, RULES } from './rule.js';

const MAX_DESCRIPTION_BYTES = 100 * 1024;

/** Why nobody can check results against this schema. Its root may be of any type: structured content may be. */
const outputFault = (schema: unknown): string | undefined => {
  if (typeof schema === 'boolean') return 'It is only true or false.';
  const unsound = gradeSchema(schema).reasons.find(
    ({ rule }) => rule !== 'SCH-02' && isRuleId(rule) && RULES[rule].effect === 'INVALID',
  )?.message;
  return unsound ?? (isJsonObject(schema) ? outputCompileFault(schema) : undefined);
};

const gradeTexts = (definition: ToolDefinition): Grade => {
  const findings = createFindings();
  const { description, outputSchema } = definition;
  if (typeof description === 'string') {
    if (Buffer.byteLength(description) > MAX_DESCRIPTION_BYTES) findings.add('SCH-15', '');
  } else if (description !== undefined && description !== null) {
    findings.add('SCH-35', '');
  }
  if (outputSchema !== undefined && outputSchema !== null) {
    const fault = outputFault(outputSchema);
    if (fault !== undefined) findings.add('SCH-34', '', `The output schema cannot be used: ${fault}`);
  }
  for (const name of unfitMembers(definition)) {
    if (name !== 'description') findings.add('SCH-37', '', `"${name}" has a form that clients reject.`);
  }
  return findings.grade();
};

const worse = (a: Grade, b: Grade): Grade['status'] => {
  if (a.status === 'INVALID' || b.status === 'INVALID') return 'INVALID';
  return a.status === 'STRICT_COMPLIANT' ? b.status : a.status;
};

const together = (schema: Grade, texts: Grade): Grade => ({
  status: worse(schema, texts),
  reasons: [...schema.reasons, ...texts.reasons],
});

/** The grades that a tool has with each of these input schemas. All the rest is looked at once. */
export const gradeInputs = (definition: ToolDefinition, schemas: readonly unknown[]): readonly Grade[] => {
  const texts = gradeTexts(definition);
  return schemas.map((schema) => together(gradeSchema(schema), texts));
};

/** The grade of a tool: its input schema, and in our own profile the texts and the output schema beside it. */
export const gradeTool = (definition: ToolDefinition, options: GradeOptions = {}): Grade => {
  const schema = gradeSchema(definition.inputSchema, options);
  if (options.profile === 'letta') return schema;
  return together(schema, gradeTexts(definition));
};
