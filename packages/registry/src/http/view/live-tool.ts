import type { LiveTool, ToolDefinition } from '@plugboard/contract';
import { gradeTool } from '@plugboard/schema';

/** A tool as the server offers it now, with its health in words. */
export const liveTool = (definition: ToolDefinition): LiveTool => {
  const { status, reasons } = gradeTool(definition);
  return {
    ...definition,
    health: {
      status,
      reasons: reasons.map(({ pointer, message }) => (pointer === '' ? message : `${pointer}: ${message}`)),
    },
  };
};
