import { createRequire } from 'node:module';
import type { ServerCreate } from '@plugboard/contract';
import { collectionsDirectory } from './sample-collection.js';

export interface BundledOptions {
  readonly nodePath: string;
  /** The home of the hub. */
  readonly home: string;
  /** What the documents server may read. */
  readonly documentFlags: readonly string[];
}

/** The servers that come with the hub, each a process of its own. */
export const bundledServers = ({ nodePath, home, documentFlags }: BundledOptions): readonly ServerCreate[] => {
  const { resolve } = createRequire(import.meta.url);
  const server = (server_name: string, ...args: readonly string[]): ServerCreate => ({
    server_name,
    config: {
      mcp_server_type: 'stdio',
      command: nodePath,
      args: [resolve(`@plugboard/servers/${server_name}`), ...args],
    },
  });
  return [
    server('documents', ...documentFlags),
    server('collections', '--dir', collectionsDirectory(home)),
    server('sandbox'),
  ];
};
