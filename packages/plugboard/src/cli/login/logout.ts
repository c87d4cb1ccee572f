import { EXIT, type ExitCode } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';
import { agentIdOf, onBehalf } from '../../hub-api/client/on-behalf.js';

export interface LogoutInput {
  readonly server: string;
  /** The agent that logs out, by its name or id; the hub itself when left out. */
  readonly agent: string | undefined;
}

export const run = async ({ out, hub }: CommandContext, input: LogoutInput): Promise<ExitCode> => {
  const client = await hub();
  const { id, server_name: name } = await client.server(input.server);
  const agent = await agentIdOf(client.api, input.agent);
  const path = `/v1/mcp-servers/${encodeURIComponent(id)}/oauth${onBehalf(agent, '?')}`;
  const { json } = await client.api.request('DELETE', path);
  const loggedOut = (json as { readonly logged_out?: unknown } | undefined)?.logged_out === true;
  out.data({ server: name, logged_out: loggedOut });
  if (!out.quiet) out.text(loggedOut ? `Logged out of ${out.style.bold(name)}.` : `There was no login to ${name}.`);
  return EXIT.ok;
};
