import type { Command } from 'commander';
import { collect } from '../command/define.js';

/** Where a server is, as somebody names it on the command line. */
export interface AddressFlags {
  readonly target: readonly string[];
  readonly sse: boolean;
  readonly env: readonly string[];
  readonly header: readonly string[];
  readonly cwd: string | undefined;
  readonly token: string | undefined;
}

export type AddressOptions = Partial<Omit<AddressFlags, 'target'>>;

/** What `[target...]` can be for commands that read target files. */
export const TARGET =
  'a registered server, a URL, a target file, an entry of a client file (.mcp.json#name), or after two dashes a command';

/** The same for commands that take the address from the environment when there is none. */
export const TARGET_OR_ENVIRONMENT = `${TARGET}; default: MCP_GATEWAY_URL, DOCLING_MCP_URL`;

/** The options of every command that is given the address of a server. */
export const addAddress = (command: Command): Command =>
  command
    .option('--sse', 'use the older HTTP+SSE transport')
    .option('--header <header>', 'a header to send, as "Name: value"; may be repeated', collect)
    .option('--token <token>', 'a bearer token; - reads it from standard input')
    .option('--env <name=value>', 'an environment variable of the command; may be repeated', collect)
    .option('--cwd <directory>', 'the working directory of the command (default: the current directory)');

export const addressOf = (target: readonly string[], options: AddressOptions): AddressFlags => ({
  target,
  sse: options.sse ?? false,
  env: options.env ?? [],
  header: options.header ?? [],
  cwd: options.cwd,
  token: options.token,
});
