import { z } from 'zod';
import type { HubApi } from '../hub-api.js';
import { noSuchEntry, readAnswer } from './entry-answer.js';

/** What commands ask of the hub about entries that have a name, such as agents. */
export interface EntryClient<Entry, Create, Update> {
  list(): Promise<readonly Entry[]>;
  /** By name or id. Rejects with NOT_FOUND, naming the nearest. */
  get(nameOrId: string): Promise<Entry>;
  create(input: Create): Promise<Entry>;
  update(id: string, update: Update): Promise<Entry>;
  remove(id: string): Promise<void>;
}

export interface EntryKind<Entry> {
  /** As people call one of them. */
  readonly kind: string;
  readonly path: string;
  readonly schema: z.ZodType<Entry>;
}

export const entryClient = <Entry extends { readonly id: string; readonly name: string }, Create, Update>(
  api: HubApi,
  { kind, path, schema }: EntryKind<Entry>,
): EntryClient<Entry, Create, Update> => {
  const parse = readAnswer(kind);
  const at = (id: string): string => `${path}/${encodeURIComponent(id)}`;
  const list = async (): Promise<readonly Entry[]> => parse(z.array(schema), (await api.request('GET', path)).json);
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
    create: async (body) => parse(schema, (await api.request('POST', path, { body })).json),
    update: async (id, body) => parse(schema, (await api.request('PATCH', at(id), { body })).json),
    remove: async (id) => void (await api.request('DELETE', at(id))),
  };
};
