import { isObject, type JsonObject } from '../connection/json.js';
import type { CheckTarget } from '../target/target.js';
import { exampleArguments } from '../generate/example.js';
import type { CallableTool, ListedTool } from './tool.js';

const givenArguments = (given: JsonObject | readonly JsonObject[] | undefined): readonly JsonObject[] =>
  given === undefined ? [] : Array.isArray(given) ? given : [given as JsonObject];

/** May this tool be called, and with what? The operator's word counts first, then the annotation. */
export const callableTool = (tool: ListedTool, target: CheckTarget): CallableTool | undefined => {
  const entry = Object.hasOwn(target.tools, tool.name) ? target.tools[tool.name] : undefined;
  if (entry?.safe === false) return undefined;
  const allowed = entry !== undefined || target.tier === 'intrusive' || tool.annotations['readOnlyHint'] === true;
  if (!allowed) return undefined;
  const given = givenArguments(entry?.arguments);
  if (given.length > 0) return { ...tool, arguments: given };
  const example = exampleArguments(tool.inputSchema);
  return isObject(example) ? { ...tool, arguments: [example] } : undefined;
};
