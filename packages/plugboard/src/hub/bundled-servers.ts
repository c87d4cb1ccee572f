import { createRequire } from 'node:module';
import type { ServerCreate } from '@plugboard/contract';

/** By the entries of @plugboard/servers. */
const BUNDLED = ['documents', 'collections', 'sandbox'] as const;

/** The servers that come with the hub, each a process of its own. */
export const bundledServers = (nodePath: string): readonly ServerCreate[] => {
  const { resolve } = createRequire(import.meta.url);
  return BUNDLED.map((name) => ({
    server_name: name,
    config: { mcp_server_type: 'stdio', command: nodePath, args: [resolve(`@plugboard/servers/${name}`)] },
  }));
};
