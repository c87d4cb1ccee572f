import type { Tool, ToolDefinition } from '@plugboard/contract';

/** A stored tool as an element of tools/list, under the name that the endpoint uses for it. */
export const toDefinition = (tool: Tool, name: string): ToolDefinition => ({
  name,
  ...(tool.title === null ? {} : { title: tool.title }),
  ...(tool.description === null ? {} : { description: tool.description }),
  inputSchema: tool.input_schema,
  ...(tool.output_schema === undefined || tool.output_schema === null ? {} : { outputSchema: tool.output_schema }),
  ...(tool.annotations === null ? {} : { annotations: tool.annotations }),
});
