import {
  agent,
  PlugboardError,
  toolsetView,
  type Agent,
  type AgentCreate,
  type AgentUpdate,
  type ToolsetCreate,
  type ToolsetUpdate,
  type ToolsetView,
} from '@plugboard/contract';
import { z } from 'zod';
import { someOf } from '../../terminal/count.js';
import { didYouMean } from '../../terminal/did-you-mean.js';
import type { HubAnswer, HubApi } from '../hub-api.js';
import { readAnswer } from '../read-answer.js';

/** What commands ask of the hub about entries that have a name, such as agents. */
interface EntryClient<Entry, Create, Update> {
  list(): Promise<readonly Entry[]>;
  /** By name or id. Rejects with NOT_FOUND, naming the nearest. */
  get(nameOrId: string): Promise<Entry>;
  create(input: Create): Promise<Entry>;
  update(id: string, update: Update): Promise<Entry>;
  remove(id: string): Promise<void>;
}

interface EntryKind<Entry> {
  /** As people call one of them. */
  readonly kind: string;
  readonly path: string;
  readonly schema: z.ZodType<Entry>;
}

const SHOWN = 12;

/** Nothing of that kind has the name: says what there is, and what was probably meant. */
const noSuchEntry = (kind: string, name: string, known: readonly string[]): PlugboardError => {
  const list =
    known.length === 0 ? `There is none yet: plugboard ${kind} create <name>` : `Known: ${someOf(known, SHOWN)}.`;
  return new PlugboardError('NOT_FOUND', `There is no ${kind} called "${name}".`, {
    hint: didYouMean(name, known, list),
  });
};

const entryClient = <Entry extends { readonly id: string; readonly name: string }, Create, Update>(
  api: HubApi,
  { kind, path, schema }: EntryKind<Entry>,
): EntryClient<Entry, Create, Update> => {
  const parse = <T>(shape: z.ZodType<T>, answer: HubAnswer): T => readAnswer(shape, answer, `its ${kind}s`);
  const at = (id: string): string => `${path}/${encodeURIComponent(id)}`;
  const list = async (): Promise<readonly Entry[]> => parse(z.array(schema), await api.request('GET', path));
  return {
    list,
    get: async (nameOrId) => {
      const all = await list();
      const found = all.find(({ id, name }) => id === nameOrId || name === nameOrId);
      if (found !== undefined) return found;
      throw noSuchEntry(
        kind,
        nameOrId,
        all.map(({ name }) => name),
      );
    },
    create: async (body) => parse(schema, await api.request('POST', path, { body })),
    update: async (id, body) => parse(schema, await api.request('PATCH', at(id), { body })),
    remove: async (id) => void (await api.request('DELETE', at(id))),
  };
};

/** Agents. Values of variables come masked. */
export const agentClient = (api: HubApi): EntryClient<Agent, AgentCreate, AgentUpdate> =>
  entryClient(api, { kind: 'agent', path: '/v1/agents', schema: agent });

export const toolsetClient = (api: HubApi): EntryClient<ToolsetView, ToolsetCreate, ToolsetUpdate> =>
  entryClient(api, { kind: 'toolset', path: '/v1/toolsets', schema: toolsetView });
