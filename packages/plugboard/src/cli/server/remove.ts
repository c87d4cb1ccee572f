import { EXIT, type ExitCode } from '@plugboard/contract';
import { count } from '../../terminal/count.js';
import type { CommandContext } from '../command/command-context.js';

export interface RemoveInput {
  readonly servers: readonly string[];
}

export const run = async ({ out, hub }: CommandContext, { servers }: RemoveInput): Promise<ExitCode> => {
  const client = await hub();
  // All are looked up before the first goes, so that a typing error removes nothing.
  const found = [];
  for (const name of servers) found.push(await client.server(name));
  for (const server of found) {
    await client.remove(server.id);
    if (!out.quiet) {
      out.text(`Removed ${out.style.bold(server.server_name)} and its ${count(server.tool_count, 'tool')}.`);
    }
  }
  out.data({ removed: found.map(({ id, server_name }) => ({ id, server_name })) });
  return EXIT.ok;
};
