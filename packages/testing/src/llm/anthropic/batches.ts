import { Refusal, refuse } from '../script/refusal.js';
import type { SideContext, SideRoute } from '../script/side-route.js';
import { isObject, objectsIn, textIn } from '../wire/json-view.js';
import { jsonReply } from '../wire/reply.js';
import { authorize, readBody, readCount } from './read-messages.js';

interface Batch {
  readonly id: string;
  readonly results: readonly { readonly custom_id: string; readonly result: { readonly type: string } }[];
  cancelled: boolean;
  polls: number;
}

const AT = '2025-10-09T08:53:20Z';

const batchObject = ({ id, results, cancelled, polls }: Batch, origin: string) => {
  const ended = polls > 1 || cancelled;
  const count = (type: string): number => (ended ? results.filter(({ result }) => result.type === type).length : 0);
  return {
    id,
    type: 'message_batch',
    processing_status: ended ? 'ended' : 'in_progress',
    request_counts: {
      processing: ended ? 0 : results.length,
      succeeded: cancelled ? 0 : count('succeeded'),
      errored: cancelled ? 0 : count('errored'),
      canceled: cancelled ? results.length : 0,
      expired: 0,
    },
    created_at: AT,
    expires_at: '2025-10-10T08:53:20Z',
    ended_at: ended ? AT : null,
    archived_at: null,
    cancel_initiated_at: cancelled ? AT : null,
    results_url: ended ? `${origin}/v1/messages/batches/${id}/results` : null,
  };
};

const runOne = async (params: unknown, context: SideContext, headers: Readonly<Record<string, string>>) => {
  const reply = await context.complete('/v1/messages', params, headers);
  if (typeof reply === 'string' || 'pieces' in reply) {
    return { type: 'errored', error: { type: 'error', error: { type: 'api_error', message: 'cut' } } };
  }
  const body: unknown = JSON.parse(reply.body.toString());
  return reply.status < 400 ? { type: 'succeeded', message: body } : { type: 'errored', error: body };
};

/** Counting of tokens, and batches: a batch has ended with the second look at it. */
export const anthropicSideRoutes = (): readonly SideRoute[] => {
  const batches = new Map<string, Batch>();
  const find = (id: string): Batch => {
    const batch = batches.get(id);
    if (batch === undefined) throw new Refusal({ status: 404, message: 'Batch not found' });
    return batch;
  };
  const originOf = (headers: Readonly<Record<string, string>>): string =>
    `http://${headers['host'] ?? headers[':authority']}`;

  return [
    {
      method: 'POST',
      path: /^\/v1\/messages\/count_tokens$/u,
      answer: (arrival, { reading }) => jsonReply({ input_tokens: readCount(arrival, reading) }),
    },
    {
      method: 'POST',
      path: /^\/v1\/messages\/batches$/u,
      answer: async (arrival, context) => {
        authorize(arrival, context.reading);
        const requests = objectsIn(readBody(arrival)['requests']);
        if (requests.length === 0) refuse('requests: at least one request is required');
        const ids = requests.map(({ custom_id }) => textIn(custom_id));
        if (ids.some((id) => !/^[a-zA-Z0-9_-]{1,64}$/u.test(id))) {
          refuse('requests: custom_id does not match the pattern');
        }
        if (new Set(ids).size < ids.length) refuse('requests: custom_id values must be unique');
        const results = [];
        for (const { custom_id, params } of requests) {
          results.push({
            custom_id: textIn(custom_id),
            result: await runOne(isObject(params) ? params : {}, context, arrival.headers),
          });
        }
        const batch: Batch = { id: context.id('msgbatch_'), results, cancelled: false, polls: 0 };
        batches.set(batch.id, batch);
        return jsonReply(batchObject(batch, originOf(arrival.headers)));
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/messages\/batches\/([^/]+)$/u,
      answer: (arrival, { reading }, id = '') => {
        authorize(arrival, reading);
        const batch = find(id);
        batch.polls += 1;
        return jsonReply(batchObject(batch, originOf(arrival.headers)));
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/messages\/batches\/([^/]+)\/results$/u,
      answer: (arrival, { reading }, id = '') => {
        authorize(arrival, reading);
        const { results, cancelled } = find(id);
        const lines = results.map((one) => JSON.stringify(cancelled ? { ...one, result: { type: 'canceled' } } : one));
        return { status: 200, headers: { 'content-type': 'application/x-jsonl' }, body: `${lines.join('\n')}\n` };
      },
    },
    {
      method: 'POST',
      path: /^\/v1\/messages\/batches\/([^/]+)\/cancel$/u,
      answer: (arrival, { reading }, id = '') => {
        authorize(arrival, reading);
        const batch = find(id);
        batch.cancelled = true;
        return jsonReply(batchObject(batch, originOf(arrival.headers)));
      },
    },
  ];
};
