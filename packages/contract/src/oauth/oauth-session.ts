import { z } from 'zod';
import { errorDescription } from '../error/error-envelope.js';
import { agentId, oauthSessionId, serverId } from '../field/identifier.js';
import { timestamp } from '../field/text.js';

/** One login to a server, from the first URL to its end. Tokens are never part of it. */
export const oauthSession = z.object({
  id: oauthSessionId,
  server_id: serverId.nullable().describe('null for a server that is not registered'),
  server_name: z.string(),
  server_url: z.string(),
  status: z.enum(['pending', 'authorized', 'error']),
  authorization_url: z.string().optional().describe('where a person logs in; only while the session is pending'),
  scope: z.string().optional(),
  error: errorDescription.optional(),
  created_at: timestamp,
  expires_at: timestamp.describe('when the login expires'),
});
export type OAuthSession = z.infer<typeof oauthSession>;

const onBehalf = agentId.optional().describe('the agent that the login belongs to; for operators only');

export const oauthSessionCreate = z.strictObject({
  server_id: serverId,
  agent_id: onBehalf,
  redirect_uri: z
    .string()
    .max(2048)
    .regex(/^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?\//u, 'must be a URL on this machine')
    .optional()
    .describe("where the browser is redirected after the login; default: the hub's callback"),
});
export type OAuthSessionCreate = z.infer<typeof oauthSessionCreate>;

export const oauthSessionQuery = z.object({
  wait_ms: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .optional()
    .describe('return when the login is completed, or after this many seconds'),
  agent_id: onBehalf,
});

export const oauthSessionOwner = z.object({ agent_id: onBehalf });

export const oauthSessionFilter = z.object({ server_id: serverId.optional(), agent_id: onBehalf });

/** What the callback says to programs. */
export const oauthCallbackAnswer = z.object({
  status: z.enum(['success', 'error']),
  message: z.string(),
  server_url: z.string().optional(),
});
export type OAuthCallbackAnswer = z.infer<typeof oauthCallbackAnswer>;
