import type { NormalisedSchema, ToolDefinition } from '@plugboard/contract';
import { gradeTool, normaliseSchema } from '@plugboard/schema';

/** The input schema of a tool as it is shown to those who want it normalised, graded anew. */
export const normalised = (definition: ToolDefinition): NormalisedSchema => {
  const { schema } = normaliseSchema(definition.inputSchema);
  return { schema, grade: gradeTool({ ...definition, inputSchema: schema }) };
};
