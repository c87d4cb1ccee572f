import { PlugboardError, type Server, type Tool } from '@plugboard/contract';
import type { Registry } from '../../facade/registry.js';
import { allPages } from '../paging.js';

const MAX_NAMES = 50;

/** The tool that the server knows under that name, when it is stored. */
export const toolByName = async (
  registry: Registry,
  server: Server,
  name: string,
): Promise<{ readonly tool: Tool | undefined; readonly known: readonly string[] }> => {
  const tools = await allPages((page) => registry.listTools({ serverId: server.id }, page));
  return {
    tool: tools.find((tool) => tool.upstream_name === name) ?? tools.find((tool) => tool.name === name),
    known: tools.map((tool) => tool.upstream_name),
  };
};

export const toolMissing = (known: readonly string[]): PlugboardError =>
  new PlugboardError('TOOL_NOT_FOUND', 'The server has no tool of that name.', {
    hint: 'details.available names its tools; a resync reads them from the server again.',
    details: { available: known.slice(0, MAX_NAMES), total: known.length },
  });
