import { isJsonObject } from '@plugboard/base';
import type { GradeReason, ToolDefinition } from '@plugboard/contract';
import type { SchemaObject } from '../document/json-schema.js';
import { gradeTool } from '../grade/grade-tool.js';
import { withoutId } from './member/output-schema.js';
import { text, withMembers } from './member/repair.js';
import { TOOL_MEMBERS } from './member/tool-members.js';

/** What official clients refuse a whole list for, although the tool itself can be called. */
const MENDED_RULES: ReadonlySet<string> = new Set(['SCH-20', 'SCH-34', 'SCH-35', 'SCH-37']);

export interface RepairedDefinition {
  readonly definition: ToolDefinition;
  /** What was wrong; empty when nothing was that had to be told. */
  readonly reasons: readonly GradeReason[];
}

type Graded = { readonly status: string; readonly reasons: readonly GradeReason[] };

/** Which of a tool's grade reasons are breaches of the protocol that `repairDefinition` heals. */
export const repairableReasons = (reasons: readonly GradeReason[]): readonly GradeReason[] =>
  reasons.filter(({ rule }) => MENDED_RULES.has(rule));

/** Arguments are always an object. */
const repairInput = (schema: unknown): SchemaObject => {
  const given = isJsonObject(schema) ? withMembers(schema, { $schema: text }) : {};
  return given['type'] === 'object' ? given : { ...given, type: 'object' };
};

/** Undefined if a client could not check results with it. */
const repairOutput = (schema: unknown, { reasons }: Graded): SchemaObject | undefined =>
  isJsonObject(schema) && !reasons.some(({ rule }) => rule === 'SCH-34') ? withoutId(schema) : undefined;

/**
 * A definition that every modern client can list, with the smallest changes that make it so; `legacyDefinition` goes on
 * from there. What is beyond repairing is given back as it is, and must not be listed.
 */
export const repairDefinition = (
  definition: ToolDefinition,
  grade: Graded = gradeTool(definition),
): RepairedDefinition => {
  if (grade.status === 'INVALID') return { definition, reasons: [] };
  const repaired = withMembers(definition, {
    ...TOOL_MEMBERS,
    inputSchema: repairInput,
    outputSchema: (schema) => repairOutput(schema, grade),
  });
  return { definition: repaired as ToolDefinition, reasons: repairableReasons(grade.reasons) };
};
