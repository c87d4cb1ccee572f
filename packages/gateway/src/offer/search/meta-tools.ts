import { isJsonObject } from '@plugboard/base';
import { PlugboardError, type ToolDefinition } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import type { McpCall } from '../../call/mcp-call.js';
import type { LocalTool, ServerTool } from '../../call/offered-tool.js';
import { localResult } from '../../call/local-result.js';
import { UnfitArguments } from '../../call/unfit-arguments.js';
import { Bm25Index, type IndexedDocument } from './bm25-index.js';

export const SEARCH_TOOLS = 'search_tools';
export const DESCRIBE_TOOL = 'describe_tool';
export const CALL_TOOL = 'call_tool';

/** No tool of a toolset that is searched may have these names. */
export const META_TOOL_NAMES: readonly string[] = [SEARCH_TOOLS, DESCRIBE_TOOL, CALL_TOOL];

const DEFAULT_HITS = 8;
const MAX_HITS = 50;
const BRIEF = 200;

const WEIGHTS = { name: 3, title: 2, description: 1, parameters: 1 } as const;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const parameterNames = ({ inputSchema }: ToolDefinition): readonly string[] => {
  const properties = isJsonObject(inputSchema) ? inputSchema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties) : [];
};

const toDocument = ({ name, definition }: ServerTool): IndexedDocument => ({
  id: name,
  fields: [
    { text: name, weight: WEIGHTS.name },
    { text: textOf(definition.title), weight: WEIGHTS.title },
    { text: textOf(definition.description), weight: WEIGHTS.description },
    { text: parameterNames(definition).join(' '), weight: WEIGHTS.parameters },
  ],
});

const briefly = (text: string): string => {
  const [first = ''] = text.trim().split('\n');
  return first.length > BRIEF ? `${first.slice(0, BRIEF - 1)}…` : first;
};

const require = (value: unknown, name: string, tool: string): string => {
  if (typeof value === 'string' && value !== '') return value;
  throw new UnfitArguments(tool, [{ pointer: `/${name}`, message: 'must be a text', keyword: 'type' }]);
};

const stringArgument = (description: string): JsonObject => ({ type: 'string', description });

const definition = (name: string, description: string, properties: JsonObject, required: readonly string[]) => ({
  name,
  description,
  inputSchema: { type: 'object', properties, required, additionalProperties: false },
});

/** What this caller may not use does not exist for it. */
const visibleTo = (call: McpCall, tools: ReadonlyMap<string, ServerTool>): ReadonlyMap<string, ServerTool> => {
  const grant = call.client.caller.grant?.();
  const { ofSession } = call.scope;
  if (grant === undefined && ofSession === undefined) return tools;
  const isVisible = (offered: ServerTool): boolean =>
    grant?.allowsInToolset(offered.tool) !== false && ofSession?.covers(offered) !== true;
  const more = (ofSession?.more() ?? []).map((tool) => [tool.name, tool] as const);
  return new Map([...[...tools].filter(([, tool]) => isVisible(tool)), ...more]);
};

const searchTool = (tools: ReadonlyMap<string, ServerTool>): LocalTool => {
  let index: Promise<Bm25Index> | undefined;
  return {
    kind: 'local',
    name: SEARCH_TOOLS,
    definition: {
      ...definition(
        SEARCH_TOOLS,
        'Finds tools by what they do. ' +
          `Read the arguments of a hit with ${DESCRIBE_TOOL}, then run it with ${CALL_TOOL}.`,
        {
          query: stringArgument('What the tool should do, in a few words'),
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: MAX_HITS,
            description: `The maximum number of results; default: ${DEFAULT_HITS}`,
          },
        },
        ['query'],
      ),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    run: async (args, call) => {
      index ??= Bm25Index.of([...tools.values()].map(toDocument));
      const query = require(args['query'], 'query', SEARCH_TOOLS);
      const wanted = typeof args['limit'] === 'number' ? Math.trunc(args['limit']) : DEFAULT_HITS;
      const visible = visibleTo(call, tools);
      const own = (call.scope.ofSession?.more() ?? []).map(toDocument);
      const ownHits = own.length === 0 ? [] : (await Bm25Index.of(own)).search(query, own.length);
      const names = new Set([...ownHits, ...(await index).search(query, tools.size)].map(({ id }) => id));
      const found = [...names]
        .filter((name) => visible.has(name))
        .slice(0, Math.min(MAX_HITS, Math.max(1, wanted)))
        .map((name) => ({ name, description: briefly(textOf(visible.get(name)?.definition.description)) }));
      const text =
        found.length === 0
          ? `No tool of the ${visible.size} here matches. Try other words.`
          : found.map(({ name, description }) => `${name}: ${description}`).join('\n');
      return localResult(call, text, { structuredContent: { tools: found, searched: visible.size } });
    },
  };
};

const describeTool = (tools: ReadonlyMap<string, ServerTool>): LocalTool => ({
  kind: 'local',
  name: DESCRIBE_TOOL,
  definition: {
    ...definition(
      DESCRIBE_TOOL,
      `Shows the full description and the arguments of a tool that ${SEARCH_TOOLS} found.`,
      { name: stringArgument('The name of the tool') },
      ['name'],
    ),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  run: async (args, call) => {
    const name = require(args['name'], 'name', DESCRIBE_TOOL);
    const tool = visibleTo(call, tools).get(name);
    if (tool === undefined) return unknownTool(call, name);
    return localResult(call, JSON.stringify(tool.definition), { structuredContent: { tool: tool.definition } });
  },
});

const unknownTool = (call: McpCall, name: string): JsonObject =>
  localResult(call, `There is no tool named "${name.slice(0, 200)}". ${SEARCH_TOOLS} finds the names.`, {
    isError: true,
  });

const callTool: LocalTool = {
  kind: 'local',
  name: CALL_TOOL,
  definition: definition(
    CALL_TOOL,
    `Runs a tool that ${SEARCH_TOOLS} found, with the arguments that ${DESCRIBE_TOOL} shows.`,
    {
      name: stringArgument('The name of the tool'),
      arguments: { type: 'object', description: 'Its arguments', additionalProperties: true },
    },
    ['name'],
  ),
  run: async () => {
    throw new PlugboardError('INTERNAL', `${CALL_TOOL} was not replaced by the tool that it stands for.`);
  },
};

/** The three tools that stand for all others. They hold no state: what one request found, any other can call. */
export const metaTools = (tools: readonly ServerTool[]): readonly LocalTool[] => {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return [searchTool(byName), describeTool(byName), callTool];
};
