import { isJsonObject } from '@plugboard/base';
import type { McpClient } from '@plugboard/client';
import { type AgentServer, ORIGINS_META, type ToolOrigin, toolOrigin } from '@plugboard/contract';

/** Where the tools of a hub come from, by their names at the hub. Other servers are not asked, and older hubs do not say. */
export const readOrigins = async (
  { is_hub: isHub }: AgentServer,
  client: McpClient,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, ToolOrigin>> => {
  if (!isHub) return new Map();
  const result = await client.request('tools/list', { _meta: { [ORIGINS_META]: true } }, { signal });
  const meta = isJsonObject(result) && isJsonObject(result['_meta']) ? result['_meta'][ORIGINS_META] : undefined;
  return new Map(
    Object.entries(isJsonObject(meta) ? meta : {}).flatMap(([name, value]) => {
      const { data } = toolOrigin.safeParse(value);
      return data === undefined ? [] : [[name, data] as const];
    }),
  );
};
