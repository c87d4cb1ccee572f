import { isJsonObject } from '@plugboard/base';
import type { Tool, ToolView } from '@plugboard/contract';

/** Letta's default; results are not cut by it. */
const RETURN_CHAR_LIMIT = 50_000;

/** A tool as the admin API shows it: ours, with the members that Letta's clients read. */
export const toolView = (tool: Tool): ToolView => {
  const { schema, grade } = tool.normalised ?? { schema: tool.input_schema, grade: tool.grade };
  const parameters = isJsonObject(schema) ? schema : { type: 'object', properties: {} };
  return {
    ...tool,
    source_type: 'mcp',
    json_schema: {
      name: tool.name,
      description: tool.description ?? '',
      parameters,
      'mcp:SCHEMA_STATUS': grade.status,
      'mcp:SCHEMA_WARNINGS': grade.reasons.map(({ message }) => message),
    },
    args_json_schema: parameters,
    metadata_: tool.metadata,
    return_char_limit: RETURN_CHAR_LIMIT,
  };
};
