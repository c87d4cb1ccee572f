import { EXIT, type ExitCode } from '@plugboard/contract';
import type { CommandContext } from './command-context.js';

export interface LogoutInput {
  readonly server: string;
}

export const run = async ({ out, hub }: CommandContext, input: LogoutInput): Promise<ExitCode> => {
  const client = await hub();
  const { id, server_name: name } = await client.server(input.server);
  const { json } = await client.api.request('DELETE', `/v1/mcp-servers/${encodeURIComponent(id)}/oauth`);
  const loggedOut = (json as { readonly logged_out?: unknown } | undefined)?.logged_out === true;
  out.data({ server: name, logged_out: loggedOut });
  if (!out.quiet) out.text(loggedOut ? `Logged out of ${out.style.bold(name)}.` : `Nobody was logged in to ${name}.`);
  return EXIT.ok;
};
