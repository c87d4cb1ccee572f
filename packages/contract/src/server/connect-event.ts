import { z } from 'zod';
import { errorDescription } from '../error/error-envelope.js';
import { oauthSessionId } from '../field/identifier.js';
import { timestamp } from '../field/text.js';
import { toolDefinition } from '../tool/tool-definition.js';

/** One event of a connect stream. `connection_attempt` is first; `success` or `error` is last. */
export const connectEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('connection_attempt'), server_name: z.string() }),
  z.object({ event: z.literal('success'), tools: z.array(toolDefinition) }),
  z.object({ event: z.literal('oauth_required'), message: z.string() }),
  z.object({
    event: z.literal('authorization_url'),
    url: z.string(),
    session_id: oauthSessionId,
    expires_at: timestamp,
  }),
  z.object({ event: z.literal('waiting_for_auth'), message: z.string() }),
  z.object({ event: z.literal('error'), message: z.string(), error: errorDescription }),
]);
export type ConnectEvent = z.infer<typeof connectEvent>;
