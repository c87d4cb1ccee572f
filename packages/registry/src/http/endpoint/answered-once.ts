import { collectBytes } from '@plugboard/base';
import { bodyTooLarge, IDEMPOTENCY_HEADER, idempotencyKeyIn, type KeyedRequests } from '@plugboard/contract';
import type { Context } from 'hono';
import { z } from 'zod';
import type { AdminLimits } from '../limits.js';
import { principalOf } from './admission.js';
import type { Endpoint } from './endpoint.js';

const IS_REPEATED = 'is_repeated';
/** Tells a caller that its request was carried out before. */
const REPEATED_HEADER = 'Idempotency-Replayed';

const keptAnswer = z.object({ status: z.number(), contentType: z.string().nullable(), body: z.string() });

/**
 * The request as its sender wrote it, without what is about this one message, and with the rights of its sender: what one
 * token was answered is not for another of the same person that allows something else.
 */
const contentOf = async (c: Context, { maxBodyBytes }: AdminLimits): Promise<string> => {
  const { req } = c;
  const { role, agent, servers } = principalOf(c);
  const { pathname, search } = new URL(req.url);
  const bytes = await collectBytes(req.raw.clone().body, { maxBytes: maxBodyBytes, tooLarge: bodyTooLarge });
  return JSON.stringify([req.method, pathname + search, bytes.toString('base64'), [role, agent, servers]]);
};

const isStream = ({ headers }: Response): boolean => headers.get('content-type')?.includes('event-stream') === true;

const write = async (response: Response): Promise<string | undefined> => {
  if (isStream(response)) return undefined;
  const contentType = response.headers.get('content-type');
  return JSON.stringify({ status: response.status, contentType, body: await response.clone().text() });
};

const read = (text: string): Response => {
  const { status, contentType, body } = keptAnswer.parse(JSON.parse(text));
  const headers = { ...(contentType === null ? {} : { 'content-type': contentType }), [REPEATED_HEADER]: 'true' };
  return new Response(body === '' ? null : body, { status, headers });
};

/** Was the request answered with what it was answered before? */
export const wasRepeated = (c: Context): boolean => c.get(IS_REPEATED) === true;

/** The endpoint for requests that may come with an idempotency key: these are carried out once. */
export const answeredOnce = (endpoint: Endpoint, requests: KeyedRequests | undefined): Endpoint => {
  const { operation, answer } = endpoint;
  if (operation.method === 'get' || requests === undefined) return endpoint;
  return {
    operation,
    answer: async (c, limits) => {
      const key = idempotencyKeyIn(c.req.header(IDEMPOTENCY_HEADER));
      if (key === undefined) return answer(c, limits);
      const request = { caller: principalOf(c).id, key, content: await contentOf(c, limits) };
      const { value, isRepeated } = await requests.run(request, {
        perform: () => answer(c, limits),
        write: operation.tellsSecret === true ? () => undefined : write,
        read,
      });
      if (isRepeated) c.set(IS_REPEATED, true);
      return value;
    },
  };
};
