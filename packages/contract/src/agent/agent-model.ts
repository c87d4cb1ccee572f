import { z } from 'zod';
import { hasNoCredentials } from '../field/http-url.js';

/** The model that answers for an agent at `/v1/chat/completions` and `/v1/responses`. */
export const agentModel = z.strictObject({
  provider: z.enum(['openai', 'openai-responses', 'anthropic', 'bedrock']),
  name: z.string().min(1).max(256).describe('the model, as its provider calls it'),
  base_url: z
    .url({ protocol: /^https?$/u })
    .max(2048)
    .refine(hasNoCredentials, 'must not contain a user name or password')
    .optional()
    .describe('an endpoint other than that of the provider'),
  instructions: z.string().max(100_000).optional().describe('instructions for the model (the system prompt)'),
  max_tokens: z.int().positive().optional().describe('tokens of one answer'),
  max_turns: z.int().min(1).max(200).optional().describe('requests to the model for one answer; default: 20'),
  fallback: z
    .string()
    .min(1)
    .max(256)
    .optional()
    .describe('a model of the same provider that answers if this one fails'),
  approval: z
    .enum(['none', 'destructive'])
    .optional()
    .describe('`destructive`: tools that may destroy something are not called; default: `none`'),
  sampling_servers: z
    .array(z.string().min(1).max(256))
    .max(100)
    .optional()
    .describe(
      'names of servers that may ask the model while it uses their tools (`sampling/createMessage`); default: none',
    ),
});
export type AgentModel = z.infer<typeof agentModel>;

/** What only this hub understands in a request to `/v1/chat/completions` and `/v1/responses`. */
export const agentRequestOptions = z.looseObject({
  events: z.boolean().optional().describe('the stream also has what the agent does with its tools'),
  approvals: z
    .boolean()
    .optional()
    .describe(
      'tools that may destroy something are called only after somebody allowed it (see the decision route); needs `stream` and `events`',
    ),
  toolset: z.string().min(1).max(256).optional().describe('only the tools of this toolset of the agent'),
});

/** A yes or no to a call that waits for it. */
export const toolCallDecision = z.strictObject({
  call_id: z.string().min(1).max(1024).describe('the id in the event `approval`'),
  approve: z.boolean(),
});
export type ToolCallDecision = z.infer<typeof toolCallDecision>;
