import { z } from 'zod';
import { gradeStatus } from './grade.js';
import { toolDefinition } from './tool-definition.js';

/** A tool as the server offers it at this moment, with what the schema doctor says of it in short. */
export const liveTool = toolDefinition.extend({
  health: z.object({ status: gradeStatus, reasons: z.array(z.string()) }),
});
export type LiveTool = z.infer<typeof liveTool>;

/** What a successful try of a config answers. */
export const configTrial = z.object({ status: z.literal('success'), tools: z.array(liveTool) });
export type ConfigTrial = z.infer<typeof configTrial>;
