import { PlugboardError, Secret, type AgentId, type KeptAgent } from '@plugboard/contract';
import type { Insertable, Selectable } from 'kysely';
import { isoTime } from '../port/clock.js';
import type { SecretBox } from '../secret/secret-box.js';
import type { StoredAgent } from './agent-store.js';
import type { Tables } from './tables.js';

type Settings = Pick<
  KeptAgent,
  'description' | 'server_ids' | 'toolset_ids' | 'allow_tool_ids' | 'deny_tool_ids' | 'model'
>;

export const agentPlace = (id: string, name: string): string => `agents|${id}|${name}`;

export const toAgentRow = (agent: KeptAgent, box: SecretBox): Insertable<Tables['agents']> => {
  const { id, name, variables, created_at, updated_at, ...settings } = agent;
  const sealed = Object.entries(variables).map(([variable, value]) => [
    variable,
    box.seal(value.reveal(), agentPlace(id, variable)),
  ]);
  return {
    id,
    name,
    settings: JSON.stringify(settings satisfies Settings),
    secrets: JSON.stringify(Object.fromEntries(sealed)),
    created_at: Date.parse(created_at),
    updated_at: Date.parse(updated_at),
  };
};

const unreadable = (name: string, lost: readonly string[]): PlugboardError =>
  new PlugboardError('SECRET_UNREADABLE', `Variables of the agent "${name}" cannot be decrypted: ${lost.join(', ')}.`, {
    hint: 'Start the hub with the master key that encrypted them, or set these variables again.',
    details: { agent: name, variables: lost },
  });

export const fromAgentRow = (row: Selectable<Tables['agents']>, box: SecretBox): StoredAgent => {
  const variables: Record<string, Secret> = {};
  const lost: string[] = [];
  for (const [name, sealed] of Object.entries(JSON.parse(row.secrets) as Record<string, string>)) {
    const open = (): string => box.open(sealed, agentPlace(row.id, name));
    try {
      open();
      variables[name] = Secret.sealed(open);
    } catch {
      lost.push(name);
    }
  }
  return {
    agent: {
      id: row.id as AgentId,
      name: row.name,
      ...(JSON.parse(row.settings) as Settings),
      variables,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    },
    unreadable: lost.length === 0 ? undefined : unreadable(row.name, lost),
  };
};
