import { basename } from 'node:path';
import type { ConnectConfig } from '@plugboard/contract';

/** How messages name the server: its configured name and its host. Never a path, a query or a secret. */
export const serverLabel = (config: ConnectConfig, name?: string): { readonly name: string; readonly host: string } => {
  if (config.mcp_server_type === 'stdio') {
    const program = name ?? basename(config.command);
    return { name: program, host: `The process of "${program}"` };
  }
  // The first call reports an invalid URL; the constructor does not throw.
  const host = URL.canParse(config.server_url) ? new URL(config.server_url).host : 'the server';
  return { name: name ?? host, host };
};
