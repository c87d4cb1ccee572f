import { agent, type Agent, type AgentCreate, type AgentUpdate, PlugboardError } from '@plugboard/contract';
import { z } from 'zod';
import { nearest } from '../program/nearest.js';
import { someOf } from '../render/count.js';
import type { HubApi } from './hub-api.js';

const AGENTS = '/v1/agents';
const SHOWN = 12;

const at = (id: string): string => `${AGENTS}/${encodeURIComponent(id)}`;

const parse = <T>(schema: z.ZodType<T>, json: unknown): T => {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new PlugboardError('INTERNAL', "The hub's answer about its agents has an unknown shape.", {
    hint: 'Check that the hub and this program are of the same version.',
    cause: parsed.error,
  });
};

const notFound = (name: string, known: readonly string[]): PlugboardError => {
  const near = nearest(name, known);
  const list =
    known.length === 0 ? 'There is none yet: plugboard agent create <name>' : `Known: ${someOf(known, SHOWN)}.`;
  return new PlugboardError('NOT_FOUND', `There is no agent called "${name}".`, {
    hint: near === undefined ? list : `Did you mean "${near}"? ${list}`,
  });
};

/** What commands ask of the hub about agents. Values of variables come masked. */
export interface AgentClient {
  list(): Promise<readonly Agent[]>;
  /** By name or id. Rejects with NOT_FOUND, naming the nearest. */
  get(nameOrId: string): Promise<Agent>;
  create(input: AgentCreate): Promise<Agent>;
  update(id: string, update: AgentUpdate): Promise<Agent>;
  remove(id: string): Promise<void>;
}

export const agentClient = (api: HubApi): AgentClient => {
  const list = async (): Promise<readonly Agent[]> => parse(z.array(agent), (await api.request('GET', AGENTS)).json);
  return {
    list,
    get: async (nameOrId) => {
      const all = await list();
      const found = all.find(({ id, name }) => id === nameOrId || name === nameOrId);
      if (found !== undefined) return found;
      throw notFound(
        nameOrId,
        all.map(({ name }) => name),
      );
    },
    create: async (body) => parse(agent, (await api.request('POST', AGENTS, { body })).json),
    update: async (id, body) => parse(agent, (await api.request('PATCH', at(id), { body })).json),
    remove: async (id) => void (await api.request('DELETE', at(id))),
  };
};
