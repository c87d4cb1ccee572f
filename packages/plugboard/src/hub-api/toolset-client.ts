import { type ToolsetCreate, type ToolsetUpdate, toolsetView, type ToolsetView } from '@plugboard/contract';
import { z } from 'zod';
import { noSuchEntry, readAnswer } from './entry-answer.js';
import type { HubApi } from './hub-api.js';

const TOOLSETS = '/v1/toolsets';

const at = (id: string): string => `${TOOLSETS}/${encodeURIComponent(id)}`;

const parse = readAnswer('toolset');

/** What commands ask of the hub about toolsets. */
export interface ToolsetClient {
  list(): Promise<readonly ToolsetView[]>;
  /** By name or id. Rejects with NOT_FOUND, naming the nearest. */
  get(nameOrId: string): Promise<ToolsetView>;
  create(input: ToolsetCreate): Promise<ToolsetView>;
  update(id: string, update: ToolsetUpdate): Promise<ToolsetView>;
  remove(id: string): Promise<void>;
}

export const toolsetClient = (api: HubApi): ToolsetClient => {
  const list = async (): Promise<readonly ToolsetView[]> =>
    parse(z.array(toolsetView), (await api.request('GET', TOOLSETS)).json);
  return {
    list,
    get: async (nameOrId) => {
      const all = await list();
      const found = all.find(({ id, name }) => id === nameOrId || name === nameOrId);
      if (found !== undefined) return found;
      throw noSuchEntry(
        'toolset',
        nameOrId,
        all.map(({ name }) => name),
      );
    },
    create: async (input) => parse(toolsetView, (await api.request('POST', TOOLSETS, { body: input })).json),
    update: async (id, update) => parse(toolsetView, (await api.request('PATCH', at(id), { body: update })).json),
    remove: async (id) => void (await api.request('DELETE', at(id))),
  };
};
