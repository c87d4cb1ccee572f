import { isJsonObject } from '@plugboard/base';
import { ask, type AskParts } from '../ask.js';
import { checkItems } from '../check-items.js';
import type { FeatureLookup } from '../feature/model-features.js';
import type { BatchResult, BatchState, ModelBatches } from '../provider.js';
import { anthropicAnswer } from './anthropic-answer.js';
import type { LoadedAnthropic } from './anthropic-client.js';
import { anthropicRequest } from './anthropic-request.js';

const stateOf = ({
  id,
  processing_status,
}: {
  readonly id: string;
  readonly processing_status: string;
}): BatchState => ({
  id,
  status: processing_status,
  done: processing_status === 'ended',
});

const resultOf = (id: string, result: unknown, provider: string): BatchResult => {
  const { type, message, error } = isJsonObject(result) ? result : {};
  if (type === 'succeeded') return { id, answer: anthropicAnswer(message, provider) };
  const outer = isJsonObject(error) && isJsonObject(error['error']) ? error['error'] : error;
  const said = isJsonObject(outer) ? outer['message'] : undefined;
  return { id, error: { message: typeof said === 'string' ? said : `The request is ${String(type)}.`, status: null } };
};

/** Batches of Messages. */
export const anthropicBatches = (
  load: () => Promise<LoadedAnthropic>,
  parts: AskParts,
  features: FeatureLookup,
): ModelBatches => ({
  submit: (items, options = {}) =>
    ask(parts, options, async (signal) => {
      checkItems(items);
      const requests = items.map(({ id, request }) => ({
        custom_id: id,
        params: anthropicRequest(request, features, false).body as never,
      }));
      return stateOf(await (await load()).client.messages.batches.create({ requests }, { signal }));
    }),
  poll: (id, options = {}) =>
    ask(parts, options, async (signal) =>
      stateOf(await (await load()).client.messages.batches.retrieve(id, undefined, { signal })),
    ),
  cancel: (id, options = {}) =>
    ask(parts, options, async (signal) =>
      stateOf(await (await load()).client.messages.batches.cancel(id, undefined, { signal })),
    ),
  results: (id, options = {}) =>
    ask(parts, options, async (signal) => {
      const results: BatchResult[] = [];
      const lines = await (await load()).client.messages.batches.results(id, undefined, { signal });
      for await (const { custom_id, result } of lines) results.push(resultOf(custom_id, result, parts.provider));
      return results;
    }),
});
