import {
  PlugboardError,
  toolListQuery,
  toolView as toolViewSchema,
  type Tool,
  type ToolListQuery,
} from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { allPages, announceNext, pageOf } from '../paging.js';
import { toolView } from '../view/tool-view.js';

const DEFAULT_LIMIT = 100;

const fits =
  ({ name, search }: ToolListQuery) =>
  (tool: Tool): boolean => {
    const needle = search?.toLowerCase();
    const texts = [tool.name, tool.upstream_name, tool.title ?? '', tool.description ?? ''];
    return (
      (name === undefined || tool.name === name || tool.upstream_name === name) &&
      (needle === undefined || texts.some((text) => text.toLowerCase().includes(needle)))
    );
  };

const list = ({ registry }: AdminContext): Endpoint =>
  endpoint(
    {
      id: 'listTools',
      method: 'get',
      path: '/v1/tools',
      tag: 'tools',
      summary: 'List the tools of all servers',
      description: `In pages of ${DEFAULT_LIMIT}, or of \`limit\`. Follow \`Link\` or \`X-Next-After\` until neither is there.`,
      query: toolListQuery,
      answers: {
        200: {
          description: 'One page of tools.',
          schema: z.array(toolViewSchema),
          headers: { Link: 'The next page, when there is one.', 'X-Next-After': 'What `after` is on the next page.' },
        },
      },
      errors: ['SERVER_NOT_FOUND', 'INVALID_ARGUMENT'],
    },
    async ({ query }, c) => {
      const serverId = query.server_id && (await registry.getServer(query.server_id)).id;
      const filter = serverId === undefined ? {} : { serverId };
      const page = await pageOf(
        (part) => registry.listTools(filter, part),
        { limit: query.limit ?? DEFAULT_LIMIT, after: query.after },
        fits(query),
      );
      announceNext(c, page);
      return c.json(page.entries.map(toolView));
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
      const tools = await allPages((part) => registry.listTools({}, part));
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
