import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ServerCreate } from '@plugboard/contract';

export const SAMPLE_NAME = 'everything';
const SAMPLE_PACKAGE = '@modelcontextprotocol/server-everything';

/** The reference server of the protocol, from our dependencies: a server to try at once. */
export const sampleServer = (nodePath: string): ServerCreate => {
  const manifest = createRequire(import.meta.url).resolve(`${SAMPLE_PACKAGE}/package.json`);
  const program = join(dirname(manifest), 'dist', 'index.js');
  return {
    server_name: SAMPLE_NAME,
    config: {
      mcp_server_type: 'stdio',
      command: nodePath,
      args: [program, 'stdio'],
      // One of its tools fetches any URL; without this, agents would reach the hub and its network through it.
      env: { GZIP_ALLOWED_DOMAINS: 'raw.githubusercontent.com' },
    },
  };
};
