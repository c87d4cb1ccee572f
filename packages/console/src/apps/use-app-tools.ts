import { useQuery } from '@tanstack/react-query';
import type { McpConnection } from '../api/mcp/mcp-connection.js';
import { type AppTool, appToolOf } from './app-tools.js';

/** A server that never stops sending pages must not keep the page busy. */
const MAX_PAGES = 50;

/** What the tools of a server declare about apps. Read when a tool was run, not before. */
export const useAppTools = (server: string, mcp: McpConnection, enabled: boolean) =>
  useQuery({
    queryKey: ['app tools', server],
    queryFn: async ({ signal }) => {
      const tools = new Map<string, AppTool>();
      let cursor: unknown;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const params = cursor === undefined ? {} : { cursor };
        const answer = (await mcp.request('tools/list', params, { signal })) as Readonly<
          Record<string, unknown>
        > | null;
        const listed = answer?.['tools'];
        for (const value of Array.isArray(listed) ? listed : []) {
          const tool = appToolOf(value);
          if (tool !== undefined) tools.set(tool.name, tool);
        }
        cursor = answer?.['nextCursor'];
        if (typeof cursor !== 'string') break;
      }
      return tools;
    },
    enabled,
    retry: false,
    staleTime: 60_000,
  });
