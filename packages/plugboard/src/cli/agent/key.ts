import { EXIT, type ExitCode } from '@plugboard/contract';
import { agentClient } from '../../hub-api/client/entry-client.js';
import { keyClient } from '../../hub-api/client/key-client.js';
import type { CommandContext } from '../command/command-context.js';
import { tellNewKey } from '../render/new-key-words.js';

export interface AgentKeyInput {
  readonly agent: string;
  readonly name: string | undefined;
  readonly days: number | undefined;
}

const DAY_MS = 86_400_000;

export const run = async ({ out, hub }: CommandContext, input: AgentKeyInput): Promise<ExitCode> => {
  const client = await hub();
  const agent = await agentClient(client.api).get(input.agent);
  const made = await keyClient(client.api).create({
    name: input.name ?? agent.name,
    role: 'agent',
    agent_id: agent.id,
    ...(input.days === undefined ? {} : { expires_at: new Date(Date.now() + input.days * DAY_MS).toISOString() }),
  });
  tellNewKey(made, out);
  return EXIT.ok;
};
