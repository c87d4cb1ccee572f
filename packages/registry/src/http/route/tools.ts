import {
  PlugboardError,
  toolListQuery,
  toolView as toolViewSchema,
  type Tool,
  type ToolListQuery,
  type ToolState,
} from '@plugboard/contract';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { answerPage, pagedAnswer, pageOfList } from '../paging.js';
import { decisionState } from '../../quarantine/quarantine.js';
import { toolView } from '../view/tool-view.js';

const DEFAULT_LIMIT = 100;

const stateOf = ({ enabled, quarantine }: Tool): ToolState =>
  enabled ? 'offered' : (decisionState({ quarantine }) ?? 'disabled');

const fits = ({ name, search, state }: ToolListQuery): ((tool: Tool) => boolean) => {
  const needle = search?.toLowerCase();
  const has = (text: string | null): boolean => needle === undefined || text?.toLowerCase().includes(needle) === true;
  return (tool) =>
    (name === undefined || tool.name === name || tool.upstream_name === name) &&
    (state === undefined || stateOf(tool) === state) &&
    (has(tool.name) || has(tool.upstream_name) || has(tool.title) || has(tool.description));
};

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listTools',
      method: 'get',
      path: '/v1/tools',
      tag: 'tools',
      summary: 'List the tools of all servers',
      description: `In pages of ${DEFAULT_LIMIT}, or of \`limit\`. Follow \`Link\` or \`X-Next-After\` until neither is present.`,
      query: toolListQuery,
      answers: pagedAnswer('One page of tools.', toolViewSchema),
      errors: ['SERVER_NOT_FOUND', 'INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const serverId = query.server_id && (await registry.getServer(query.server_id)).id;
      const filter = serverId === undefined ? {} : { serverId };
      const { limit = DEFAULT_LIMIT, after } = query;
      const page = pageOfList(await registry.listTools(filter, { after }), limit, fits(query));
      return answerPage(c, page, toolView);
    },
  );

const retrieve = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'retrieveTool',
      method: 'get',
      path: '/v1/tools/{tool_id}',
      tag: 'tools',
      summary: 'Show a tool, whichever server it belongs to',
      answers: { 200: { description: 'The tool.', schema: toolViewSchema } },
      errors: ['TOOL_NOT_FOUND'],
    },
    async ({ params }, c) => {
      const tools = await registry.listTools();
      const found = tools.find(({ id }) => id === params.tool_id);
      if (found !== undefined) return c.json(toolView(found));
      throw new PlugboardError('TOOL_NOT_FOUND', 'There is no tool with this id.', {
        hint: {
          api: 'GET /v1/tools lists all tools; a sync may have removed it.',
          cli: '`plugboard tools` shows all tools; a sync may have removed it.',
        },
      });
    },
  );

/** The tools of all servers. */
export const toolRoutes = (admin: AdminContext): readonly Endpoint[] => [list(admin), retrieve(admin)];
