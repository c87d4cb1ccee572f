import { toolListQuery, toolView as toolViewSchema, type Tool, type ToolListQuery } from '@plugboard/contract';
import { z } from 'zod';
import type { AdminContext } from '../admin-context.js';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { announceNext, pageOf } from '../paging.js';
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

/** The tools of all servers. */
export const toolRoutes = ({ registry }: AdminContext): readonly Endpoint[] => [
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
      errors: ['SERVER_NOT_FOUND'],
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
  ),
];
