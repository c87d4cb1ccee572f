import { z } from 'zod';
import { providerVerdict } from './grade.js';
import { toolDefinition } from './tool-definition.js';

/** A tool as a provider profile takes it. */
export const toolAdaptation = z.object({
  provider: z.string(),
  verdict: providerVerdict,
  definition: toolDefinition.describe('rewritten for the provider; as the server sent it when nothing is rewritten'),
});
export type ToolAdaptation = z.infer<typeof toolAdaptation>;
