import type { GradeReason, ToolDefinition } from '@plugboard/contract';
import { isRecord } from '../document/json-schema.js';
import { gradeTool } from '../grade/grade-tool.js';

type Mend = (definition: ToolDefinition) => ToolDefinition;

const addRootType: Mend = (definition) => ({
  ...definition,
  inputSchema: { ...(isRecord(definition.inputSchema) ? definition.inputSchema : {}), type: 'object' },
});

const without =
  (member: 'outputSchema' | 'description'): Mend =>
  (definition) => ({ ...definition, [member]: undefined });

/**
 * What official clients refuse a whole list for, although the tool itself can be called: each breach of the protocol
 * with the smallest change that heals it.
 */
const MENDS: Readonly<Record<string, Mend>> = {
  'SCH-20': addRootType,
  'SCH-34': without('outputSchema'),
  'SCH-35': without('description'),
};

export interface MendedDefinition {
  readonly definition: ToolDefinition;
  /** What was wrong; empty when the definition is the very one that was given. */
  readonly reasons: readonly GradeReason[];
}

const isMendable = ({ rule }: GradeReason): boolean => Object.hasOwn(MENDS, rule);

/** Which of a tool's grade reasons are breaches of the protocol that `mendDefinition` heals. */
export const mendableReasons = (reasons: readonly GradeReason[]): readonly GradeReason[] => reasons.filter(isMendable);

/** A definition that every client can list. What is beyond mending is given back as it is. */
export const mendDefinition = (
  definition: ToolDefinition,
  grade: { readonly status: string; readonly reasons: readonly GradeReason[] } = gradeTool(definition),
): MendedDefinition => {
  const reasons = grade.status === 'INVALID' ? [] : mendableReasons(grade.reasons);
  const mended = reasons.reduce((current, { rule }) => MENDS[rule]?.(current) ?? current, definition);
  return { definition: mended, reasons };
};
