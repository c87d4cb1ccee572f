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
  /**
   * Makes a change that depends on what is stored. If somebody else changes the entry meanwhile, the change is computed
   * again from the new state.
   */
  change(nameOrId: string, plan: (entry: Entry) => Update | Promise<Update>): Promise<Entry>;
  remove(id: string): Promise<void>;
}

interface EntryKind<Entry> {
  /** As people call one of them. */
  readonly kind: string;
  readonly path: string;
  readonly schema: z.ZodType<Entry>;
}

const SHOWN = 12;
/** Each attempt fails only if another change was made in between. */
const CHANGE_ATTEMPTS = 20;

const wasChangedMeanwhile = (thrown: unknown): boolean =>
  thrown instanceof PlugboardError && thrown.code === 'CONFLICT' && typeof thrown.details?.['updated_at'] === 'string';

/** Nothing of that kind has the name: says what there is, and what was probably meant. */
const noSuchEntry = (kind: string, name: string, known: readonly string[]): PlugboardError => {
  const list =
    known.length === 0 ? `There is none yet: plugboard ${kind} create <name>` : `Known: ${someOf(known, SHOWN)}.`;
  return new PlugboardError('NOT_FOUND', `There is no ${kind} called "${name}".`, {
    hint: didYouMean(name, known, list),
  });
};

interface NamedEntry {
  readonly id: string;
  readonly name: string;
  readonly updated_at: string;
}

const entryClient = <Entry extends NamedEntry, Create, Update extends object>(
  api: HubApi,
  { kind, path, schema }: EntryKind<Entry>,
): EntryClient<Entry, Create, Update> => {
  const parse = <T>(shape: z.ZodType<T>, answer: HubAnswer): T => readAnswer(shape, answer, `its ${kind}s`);
  const at = (id: string): string => `${path}/${encodeURIComponent(id)}`;
  const list = async (): Promise<readonly Entry[]> => parse(z.array(schema), await api.request('GET', path));
  const get = async (nameOrId: string): Promise<Entry> => {
    const all = await list();
    const found = all.find(({ id, name }) => id === nameOrId || name === nameOrId);
    if (found !== undefined) return found;
    throw noSuchEntry(
      kind,
      nameOrId,
      all.map(({ name }) => name),
    );
  };
  const update = async (id: string, body: object): Promise<Entry> =>
    parse(schema, await api.request('PATCH', at(id), { body }));
  return {
    list,
    get,
    create: async (body) => parse(schema, await api.request('POST', path, { body })),
    update,
    change: async (nameOrId, plan) => {
      let entry = await get(nameOrId);
      for (let attempt = 1; ; attempt += 1) {
        const { id, updated_at: seen } = entry;
        const planned = await plan(entry);
        try {
          return await update(id, { ...planned, if_updated_at: seen });
        } catch (thrown) {
          if (attempt === CHANGE_ATTEMPTS || !wasChangedMeanwhile(thrown)) throw thrown;
        }
        entry = await get(id);
      }
    },
    remove: async (id) => void (await api.request('DELETE', at(id))),
  };
};

/** Agents. Values of variables come masked. */
export const agentClient = (api: HubApi): EntryClient<Agent, AgentCreate, AgentUpdate> =>
  entryClient(api, { kind: 'agent', path: '/v1/agents', schema: agent });

export const toolsetClient = (api: HubApi): EntryClient<ToolsetView, ToolsetCreate, ToolsetUpdate> =>
  entryClient(api, { kind: 'toolset', path: '/v1/toolsets', schema: toolsetView });
