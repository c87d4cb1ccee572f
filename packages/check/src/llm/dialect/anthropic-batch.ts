import type { JsonObject } from '../../connection/json.js';
import type { Ask } from '../ask.js';
import type { LlmTarget } from '../target.js';
import { BatchProblem, type BatchSteps } from './dialect.js';
import { textAt } from './read-json.js';

/** A batch of Anthropic: requests go up in one body, results come down as lines. */
export const anthropicBatch = (bodyOf: (target: LlmTarget, ask: Ask) => JsonObject): BatchSteps => ({
  submit: async (send, target, ask) => {
    const body = { requests: [{ custom_id: 'one', params: bodyOf(target, ask) }] };
    const { json } = await send({ method: 'POST', path: '/v1/messages/batches', body });
    const id = textAt(json, 'id');
    if (id === undefined) throw new BatchProblem('The batch has no id.');
    return `/v1/messages/batches/${encodeURIComponent(id)}`;
  },
  isDone: (batch) => textAt(batch, 'processing_status') === 'ended',
  results: async (send, batch) => {
    const id = textAt(batch, 'id') ?? '';
    const { text } = await send({ method: 'GET', path: `/v1/messages/batches/${encodeURIComponent(id)}/results` });
    return text;
  },
});
