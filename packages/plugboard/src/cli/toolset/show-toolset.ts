import type { ToolsetView } from '@plugboard/contract';
import type { HubClient } from '../../hub-api/client/hub-client.js';
import { toolsetDetail } from './toolset-words.js';
import type { CommandContext } from '../command/command-context.js';

/** Prints a toolset, with the names of its servers. */
export const showToolset = async ({ out }: CommandContext, client: HubClient, toolset: ToolsetView): Promise<void> => {
  out.data(toolset);
  if (out.quiet || out.json) return;
  const names = new Map<string, string>((await client.servers()).map(({ id, server_name }) => [id, server_name]));
  out.text(toolsetDetail(toolset, out, (id) => names.get(id) ?? id));
};
