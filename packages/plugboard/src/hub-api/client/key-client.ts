import {
  apiKey,
  apiKeyCreated,
  keyPurge,
  masterKeyRotation,
  type ApiKey,
  type ApiKeyCreate,
  type ApiKeyCreated,
  type KeyPurge,
  type MasterKeyRotation,
} from '@plugboard/contract';
import { z } from 'zod';
import type { HubAnswer, HubApi } from '../hub-api.js';
import { readAnswer } from '../read-answer.js';

const KEYS = '/v1/keys';

const parse = <T>(schema: z.ZodType<T>, { json }: HubAnswer): T => readAnswer(schema, json, 'its keys');

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
  list: async () => parse(z.array(apiKey), await api.request('GET', KEYS)),
  create: async (body) => parse(apiKeyCreated, await api.request('POST', KEYS, { body })),
  revoke: async (id) => parse(apiKey, await api.request('DELETE', `${KEYS}/${encodeURIComponent(id)}`)),
  purge: async () => parse(keyPurge, await api.request('DELETE', KEYS)),
  rotateMaster: async () => parse(masterKeyRotation, await api.request('POST', `${KEYS}/rotate-master`)),
});
