import { z } from 'zod';
import { agentId, apiKeyId, serverId } from '../field/identifier.js';
import { role } from './principal.js';
import { entryName, timestamp } from '../field/text.js';

/** A key to the hub, as it may be shown: the key itself is shown once, when it is made. */
export const apiKey = z.object({
  id: apiKeyId,
  name: entryName.describe('its name, for people'),
  role,
  agent_id: agentId.nullable().describe('the agent on whose behalf its holder calls'),
  server_ids: z.array(serverId).nullable().describe('the only servers that its holder may use; null for all'),
  prefix: z.string().describe('the beginning of the key, to recognise it'),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  last_used_at: timestamp.nullable().describe('to the minute'),
  revoked_at: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyCreate = z
  .strictObject({
    name: entryName,
    role: role.default('agent'),
    agent_id: agentId.nullish(),
    server_ids: z.array(serverId).max(1000).nullish(),
    expires_at: timestamp.nullish(),
  })
  .refine(({ agent_id, role: given }) => given === 'agent' || (agent_id ?? null) === null, {
    message: 'only a key with the role "agent" can belong to an agent',
    path: ['agent_id'],
  })
  .refine(({ server_ids, role: given }) => given === 'agent' || (server_ids ?? null) === null, {
    message: 'only a key with the role "agent" can be limited to servers',
    path: ['server_ids'],
  });
export type ApiKeyCreate = z.input<typeof apiKeyCreate>;

export const apiKeyCreated = apiKey.extend({
  key: z.string().describe('the key itself; it is not shown again'),
  notice: z.string().optional().describe('what the first key changes for other callers'),
});
export type ApiKeyCreated = z.infer<typeof apiKeyCreated>;

/** What became of keys that open nothing any more. */
export const keyPurge = z.object({
  deleted: z.number().int().nonnegative(),
  left: z.number().int().nonnegative().describe('how many keys there are now'),
});
export type KeyPurge = z.infer<typeof keyPurge>;

/** What a new master key changed. */
export const masterKeyRotation = z.object({
  resealed: z.number().int().describe('how many secrets were encrypted again'),
  unreadable: z.number().int().describe('how many could not be decrypted with any known key and were not changed'),
});
export type MasterKeyRotation = z.infer<typeof masterKeyRotation>;
