import { agent, type Agent, type AgentCreate, type AgentUpdate } from '@plugboard/contract';
import { z } from 'zod';
import { noSuchEntry, readAnswer } from './entry-answer.js';
import type { HubApi } from './hub-api.js';

const AGENTS = '/v1/agents';

const at = (id: string): string => `${AGENTS}/${encodeURIComponent(id)}`;

const parse = readAnswer('agent');

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
      throw noSuchEntry(
        'agent',
        nameOrId,
        all.map(({ name }) => name),
      );
    },
    create: async (body) => parse(agent, (await api.request('POST', AGENTS, { body })).json),
    update: async (id, body) => parse(agent, (await api.request('PATCH', at(id), { body })).json),
    remove: async (id) => void (await api.request('DELETE', at(id))),
  };
};
