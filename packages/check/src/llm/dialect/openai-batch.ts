import { at, type JsonObject } from '../../connection/json.js';
import type { Ask } from '../ask.js';
import type { LlmTarget } from '../target.js';
import { BatchProblem, type BatchSteps } from './dialect.js';
import { textAt } from './read-json.js';

const OVER = new Set(['completed', 'failed', 'expired', 'cancelled']);

const idOf = (value: unknown, what: string): string => {
  const id = textAt(value, 'id');
  if (id === undefined) throw new BatchProblem(`The ${what} has no id.`);
  return id;
};

/** A batch of OpenAI: a file of requests goes up, a file of answers comes down. */
export const openaiBatch = (endpoint: string, bodyOf: (target: LlmTarget, ask: Ask) => JsonObject): BatchSteps => ({
  submit: async (send, target, ask) => {
    const line = JSON.stringify({ custom_id: 'one', method: 'POST', url: endpoint, body: bodyOf(target, ask) });
    const form = new FormData();
    form.set('purpose', 'batch');
    form.set('file', new Blob([line], { type: 'application/jsonl' }), 'batch.jsonl');
    const file = idOf((await send({ method: 'POST', path: '/files', form })).json, 'uploaded file');
    const body = { input_file_id: file, endpoint, completion_window: '24h' };
    const { json: batch } = await send({ method: 'POST', path: '/batches', body });
    return `/batches/${encodeURIComponent(idOf(batch, 'batch'))}`;
  },
  isDone: (batch) => OVER.has(textAt(batch, 'status') ?? ''),
  results: async (send, batch) => {
    const file = textAt(batch, 'output_file_id');
    if (file === undefined) {
      throw new BatchProblem(`The batch ended as "${String(at(batch, 'status'))}" without results.`);
    }
    const { text } = await send({ method: 'GET', path: `/files/${encodeURIComponent(file)}/content` });
    return text;
  },
});
