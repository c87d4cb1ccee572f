import { EXIT, type ApiKeyCreate, type ExitCode, type Role } from '@plugboard/contract';
import { keyClient } from '../../hub-api/client/key-client.js';
import type { CommandContext } from '../command/command-context.js';
import { tellNewKey } from '../render/new-key-words.js';

export interface KeyCreateInput {
  readonly name: string;
  readonly role: Role;
  readonly agent: string | undefined;
  readonly servers: readonly string[];
  readonly days: number | undefined;
}

const DAY_MS = 86_400_000;

export const run = async ({ out, hub }: CommandContext, input: KeyCreateInput): Promise<ExitCode> => {
  const client = await hub();
  const server_ids = [];
  for (const server of input.servers) server_ids.push((await client.server(server)).id);
  const made = await keyClient(client.api).create({
    name: input.name,
    role: input.role,
    ...(input.agent === undefined ? {} : { agent_id: input.agent as ApiKeyCreate['agent_id'] }),
    ...(server_ids.length === 0 ? {} : { server_ids: server_ids as NonNullable<ApiKeyCreate['server_ids']> }),
    ...(input.days === undefined ? {} : { expires_at: new Date(Date.now() + input.days * DAY_MS).toISOString() }),
  });
  tellNewKey(made, out);
  return EXIT.ok;
};
