import type { OfferedTool } from './offered-tool.js';

/** A tool is the same under every name that an endpoint has for it. Undefined for the hub's own. */
export const toolKey = (tool: OfferedTool | undefined): string | undefined =>
  tool?.kind === 'server' ? `${tool.server.id} ${tool.tool.upstream_name}` : undefined;
