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
import type { HubApi } from '../hub-api.js';
import { readAnswer } from '../read-answer.js';

const KEYS = '/v1/keys';
const ABOUT = 'its keys';

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
  list: async () => readAnswer(z.array(apiKey), await api.request('GET', KEYS), ABOUT),
  create: async (body) => readAnswer(apiKeyCreated, await api.request('POST', KEYS, { body }), ABOUT),
  revoke: async (id) => readAnswer(apiKey, await api.request('DELETE', `${KEYS}/${encodeURIComponent(id)}`), ABOUT),
  purge: async () => readAnswer(keyPurge, await api.request('DELETE', KEYS), ABOUT),
  rotateMaster: async () => readAnswer(masterKeyRotation, await api.request('POST', `${KEYS}/rotate-master`), ABOUT),
});
