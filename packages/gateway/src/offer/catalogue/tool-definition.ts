import type { CatalogueEntry, Tool, ToolDefinition } from '@plugboard/contract';

const rebuilt = (tool: Tool): ToolDefinition => ({
  name: tool.upstream_name,
  ...(tool.title === null ? {} : { title: tool.title }),
  ...(tool.description === null ? {} : { description: tool.description }),
  inputSchema: tool.input_schema,
  ...(tool.output_schema === undefined || tool.output_schema === null ? {} : { outputSchema: tool.output_schema }),
  ...(tool.annotations === null ? {} : { annotations: tool.annotations }),
});

/** A tool as its server defined it, in the form that clients can list. */
export const definitionOf = (entry: CatalogueEntry, tool: Tool): ToolDefinition =>
  entry.definitions?.get(tool.upstream_name) ?? rebuilt(tool);

/** A tool as an element of tools/list, under the name that the endpoint uses for it. */
export const toDefinition = (entry: CatalogueEntry, tool: Tool, name: string): ToolDefinition => {
  const definition = definitionOf(entry, tool);
  return definition.name === name ? definition : { ...definition, name };
};
