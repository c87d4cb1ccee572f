import type { ToolOrigin } from '@plugboard/contract';
import type { OfferedTool } from '../../call/offered-tool.js';

/** Where each tool of a list comes from, by the name that the list has for it. Tools that the hub runs itself come from nowhere. */
export const toolOrigins = (tools: readonly OfferedTool[]): Readonly<Record<string, ToolOrigin>> =>
  Object.fromEntries(
    tools.flatMap((offered) => {
      if (offered.kind === 'local') return [];
      const { name, server, tool } = offered;
      const origin = {
        server_id: server.id,
        server_name: server.server_name,
        name: tool.upstream_name,
        tags: tool.tags,
      };
      return [[name, origin] as const];
    }),
  );
