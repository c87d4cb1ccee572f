import { isJsonObject, tryJson } from '@plugboard/base';
import type { ModelAnswer } from '../../conversation/model-answer.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { ask, type AskParts } from '../ask.js';
import { checkItems } from '../check-items.js';
import { stringOf } from '../wire-json.js';
import type { BatchResult, BatchState, ModelBatches } from '../provider.js';
import type { LoadedOpenAi } from './openai-client.js';

/** The API that a batch asks. */
export interface BatchApi {
  readonly endpoint: '/v1/chat/completions' | '/v1/responses';
  readonly body: (request: ModelRequest) => object;
  readonly answer: (body: unknown, provider: string) => ModelAnswer;
}

const DONE: ReadonlySet<string> = new Set(['completed', 'failed', 'expired', 'cancelled']);

const stateOf = ({ id, status }: { readonly id: string; readonly status: string }): BatchState => ({
  id,
  status,
  done: DONE.has(status),
});

const resultOf = (line: unknown, provider: string, answer: BatchApi['answer']): BatchResult[] => {
  if (!isJsonObject(line)) return [];
  const id = String(line['custom_id']);
  const response = isJsonObject(line['response']) ? line['response'] : {};
  const status = typeof response['status_code'] === 'number' ? response['status_code'] : null;
  if (status !== null && status < 400) return [{ id, answer: answer(response['body'], provider) }];
  const body = isJsonObject(response['body']) ? response['body'] : line;
  const error = isJsonObject(body['error']) ? body['error'] : {};
  return [{ id, error: { message: stringOf(error['message']) || 'The request failed.', status } }];
};

/** Batches of Chat Completions or Responses. */
export const openAiBatches = (
  load: () => Promise<LoadedOpenAi>,
  parts: AskParts,
  { endpoint, body, answer }: BatchApi,
): ModelBatches => ({
  submit: (items, options = {}) =>
    ask(parts, options, async (signal) => {
      checkItems(items);
      const { client, toFile } = await load();
      const lines = items.map(({ id, request }) =>
        JSON.stringify({ custom_id: id, method: 'POST', url: endpoint, body: body(request) }),
      );
      const file = await toFile(Buffer.from(lines.join('\n')), 'batch.jsonl');
      const { id } = await client.files.create({ file, purpose: 'batch' }, { signal });
      return stateOf(
        await client.batches.create({ input_file_id: id, endpoint, completion_window: '24h' }, { signal }),
      );
    }),
  poll: (id, options = {}) =>
    ask(parts, options, async (signal) => stateOf(await (await load()).client.batches.retrieve(id, { signal }))),
  cancel: (id, options = {}) =>
    ask(parts, options, async (signal) => stateOf(await (await load()).client.batches.cancel(id, { signal }))),
  results: (id, options = {}) =>
    ask(parts, options, async (signal) => {
      const { client } = await load();
      const { output_file_id, error_file_id } = await client.batches.retrieve(id, { signal });
      const results: BatchResult[] = [];
      for (const file of [output_file_id, error_file_id]) {
        if (typeof file !== 'string') continue;
        const text = await (await client.files.content(file, { signal })).text();
        results.push(...text.split('\n').flatMap((line) => resultOf(tryJson(line), parts.provider, answer)));
      }
      return results;
    }),
});
