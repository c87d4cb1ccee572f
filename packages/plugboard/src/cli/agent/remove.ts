import { type Agent, EXIT, type ExitCode } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import type { CommandContext } from '../command/command-context.js';

export interface AgentRemoveInput {
  readonly agents: readonly string[];
}

export const run = async ({ out, hub }: CommandContext, input: AgentRemoveInput): Promise<ExitCode> => {
  const agents = agentClient((await hub()).api);
  const found: Agent[] = [];
  // All are looked up before the first is removed, so that a typing error changes nothing.
  for (const name of input.agents) found.push(await agents.get(name));
  for (const { id } of found) await agents.remove(id);
  out.data(found.map(({ id, name }) => ({ id, name })));
  if (!out.quiet) {
    for (const { name } of found) out.text(`${out.style.green('✓')} ${out.style.bold(name)} is removed, and its keys.`);
  }
  return EXIT.ok;
};
