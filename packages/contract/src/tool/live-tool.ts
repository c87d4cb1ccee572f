import { z } from 'zod';
import { gradeStatus } from './grade.js';
import { toolDefinition } from './tool-definition.js';

/** A tool as the server offers it at this moment, with what the schema doctor says of it in short. */
export const liveTool = toolDefinition.extend({
  health: z.object({ status: gradeStatus, reasons: z.array(z.string()) }),
});
export type LiveTool = z.infer<typeof liveTool>;

/** What a server offers at this moment: what a lock file pins. */
export const serverOffer = z.object({
  instructions: z
    .string()
    .optional()
    .describe('what the server tells models about itself; empty when it tells nothing, absent when it is not known'),
  tools: z.array(toolDefinition),
});
export type ServerOffer = z.infer<typeof serverOffer>;

/** What a successful try of a config answers. */
export const configTrial = z.object({ status: z.literal('success'), tools: z.array(liveTool) });
export type ConfigTrial = z.infer<typeof configTrial>;
