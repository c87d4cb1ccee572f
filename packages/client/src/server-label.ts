import { basename } from 'node:path';
import type { ConnectConfig } from '@plugboard/contract';

/** How messages call the server: its configured name, and where it is. Never a path, a query or a secret. */
export const serverLabel = (config: ConnectConfig, name?: string): { readonly name: string; readonly host: string } => {
  if (config.mcp_server_type === 'stdio') {
    const program = name ?? basename(config.command);
    return { name: program, host: `The process of "${program}"` };
  }
  // A URL that is none is told by the first call: a constructor is no place for bad news.
  const host = URL.canParse(config.server_url) ? new URL(config.server_url).host : 'the server';
  return { name: name ?? host, host };
};
