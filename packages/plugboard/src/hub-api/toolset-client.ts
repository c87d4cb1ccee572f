import {
  PlugboardError,
  type ToolsetCreate,
  type ToolsetUpdate,
  toolsetView,
  type ToolsetView,
} from '@plugboard/contract';
import { z } from 'zod';
import { nearest } from '../program/nearest.js';
import { someOf } from '../render/count.js';
import type { HubApi } from './hub-api.js';

const TOOLSETS = '/v1/toolsets';
const SHOWN = 12;

const at = (id: string): string => `${TOOLSETS}/${encodeURIComponent(id)}`;

const parse = <T>(schema: z.ZodType<T>, json: unknown): T => {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new PlugboardError('INTERNAL', "The hub's answer about its toolsets has an unknown shape.", {
    hint: 'Check that the hub and this program are of the same version.',
    cause: parsed.error,
  });
};

const notFound = (name: string, known: readonly string[]): PlugboardError => {
  const near = nearest(name, known);
  const list =
    known.length === 0 ? 'There is none yet: plugboard toolset create <name>' : `Known: ${someOf(known, SHOWN)}.`;
  return new PlugboardError('NOT_FOUND', `There is no toolset called "${name}".`, {
    hint: near === undefined ? list : `Did you mean "${near}"? ${list}`,
  });
};

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
      throw notFound(
        nameOrId,
        all.map(({ name }) => name),
      );
    },
    create: async (input) => parse(toolsetView, (await api.request('POST', TOOLSETS, { body: input })).json),
    update: async (id, update) => parse(toolsetView, (await api.request('PATCH', at(id), { body: update })).json),
    remove: async (id) => void (await api.request('DELETE', at(id))),
  };
};
