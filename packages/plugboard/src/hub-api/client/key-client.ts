import {
  apiKey,
  apiKeyCreated,
  keyPurge,
  masterKeyRotation,
  PlugboardError,
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyCreated,
  type KeyPurge,
  type MasterKeyRotation,
} from '@plugboard/contract';
import { z } from 'zod';
import type { HubApi } from '../hub-api.js';

const KEYS = '/v1/keys';

const parse = <T>(schema: z.ZodType<T>, json: unknown): T => {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  // The answer may hold a key, so it is not kept as a cause.
  throw new PlugboardError('INTERNAL', "The hub's answer about its keys has an unknown shape.", {
    hint: 'Check that the hub and this program are of the same version.',
  });
};

/** What commands ask of the hub about keys to it. */
export interface KeyClient {
  list(): Promise<readonly ApiKey[]>;
  create(input: ApiKeyCreate): Promise<ApiKeyCreated>;
  revoke(id: string): Promise<ApiKey>;
  /** Deletes those that open nothing any more. */
  purge(): Promise<KeyPurge>;
  rotateMaster(): Promise<MasterKeyRotation>;
}

export const keyClient = (api: HubApi): KeyClient => ({
  list: async () => parse(z.array(apiKey), (await api.request('GET', KEYS)).json),
  create: async (body) => parse(apiKeyCreated, (await api.request('POST', KEYS, { body })).json),
  revoke: async (id) => parse(apiKey, (await api.request('DELETE', `${KEYS}/${encodeURIComponent(id)}`)).json),
  purge: async () => parse(keyPurge, (await api.request('DELETE', KEYS)).json),
  rotateMaster: async () => parse(masterKeyRotation, (await api.request('POST', `${KEYS}/rotate-master`)).json),
});
