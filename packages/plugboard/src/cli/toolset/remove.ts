import { EXIT, type ExitCode } from '@plugboard/contract';
import { toolsetClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';

export interface ToolsetRemoveInput {
  readonly toolsets: readonly string[];
}

export const run = async ({ out, hub }: CommandContext, input: ToolsetRemoveInput): Promise<ExitCode> => {
  const client = toolsetClient((await hub()).api);
  // All are looked up before the first goes, so that a typing error removes nothing.
  const found = [];
  for (const name of input.toolsets) found.push(await client.get(name));
  for (const { id, name } of found) {
    await client.remove(id);
    if (!out.quiet) out.text(`Removed the toolset ${out.style.bold(name)}; its tools stay where they are.`);
  }
  out.data({ removed: found.map(({ id, name }) => ({ id, name })) });
  return EXIT.ok;
};
