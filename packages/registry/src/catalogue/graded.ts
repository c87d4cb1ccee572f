import { isDeepStrictEqual } from 'node:util';
import type { Grade, NormalisedSchema, ToolDefinition } from '@plugboard/contract';
import { gradeInputs, normaliseSchema } from '@plugboard/schema';

export interface Graded {
  readonly grade: Grade;
  /** The normalised input schema with its own grade. */
  readonly normalised: NormalisedSchema;
}

/** What the schema doctor says of a tool, as it is and with its input schema normalised. */
export const graded = (definition: ToolDefinition): Graded => {
  const { inputSchema } = definition;
  const { schema } = normaliseSchema(inputSchema);
  const inputs = isDeepStrictEqual(schema, inputSchema) ? [inputSchema] : [inputSchema, schema];
  const [grade, ofNormalised = grade] = gradeInputs(definition, inputs) as readonly [Grade, Grade?];
  return { grade, normalised: { schema, grade: ofNormalised } };
};
