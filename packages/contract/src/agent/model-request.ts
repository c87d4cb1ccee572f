import { z } from 'zod';

/** A request to the provider of an agent's model, which the hub sends with the key of the agent. */
export const modelRequest = z.strictObject({
  method: z.enum(['GET', 'POST']),
  path: z
    .string()
    .min(1)
    .max(1024)
    .startsWith('/')
    .describe('below the base address of the provider, such as `/chat/completions`'),
  headers: z
    .record(z.string().max(256), z.string().max(8192))
    .optional()
    .describe('more headers; with one that has a key, the key of the agent is not used'),
  body: z.string().optional().describe('the body, as text'),
});
export type ModelRequest = z.infer<typeof modelRequest>;

/** Headers of the answer: the status and the headers, as JSON, with which the provider answered. */
export const MODEL_STATUS = 'x-plugboard-model-status';
export const MODEL_HEADERS = 'x-plugboard-model-headers';
