import type { ProviderApi, ReadyTurn } from '../script/provider-api.js';
import { inChunks } from '../script/answer-turn.js';
import { argumentText, reckonUsage } from '../script/reckon-usage.js';
import { serverSentEvent } from '../wire/server-sent-event.js';
import type { StreamPiece } from '../wire/stream-piece.js';
import { openaiProblem } from './openai-problem.js';
import { readResponses } from './read-responses.js';

const CREATED = 1_760_000_000;

type Item = Record<string, unknown> & { readonly type: string; readonly id: string };

const usageOf = ({ turn, request }: ReadyTurn) => {
  const usage = reckonUsage(turn, request);
  if (usage === undefined) return null;
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cachedInput },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
};

const textPart = (text: string) => ({ type: 'output_text', annotations: [], logprobs: [], text });

const itemsOf = ({ turn, id, cut }: ReadyTurn): readonly Item[] => {
  const status = cut ? 'incomplete' : 'completed';
  const reasoning: readonly Item[] =
    turn.thinking === undefined
      ? []
      : [{ id: id('rs_'), type: 'reasoning', summary: [{ type: 'summary_text', text: turn.thinking }] }];
  const message: readonly Item[] =
    turn.text === undefined
      ? []
      : [{ id: id('msg_'), type: 'message', status, role: 'assistant', content: [textPart(turn.text)] }];
  const calls = (turn.toolCalls ?? []).map((call) => ({
    id: id('fc_'),
    type: 'function_call',
    status: 'completed',
    call_id: call.id ?? id('call_'),
    name: call.name,
    arguments: argumentText(call),
  }));
  return [...reasoning, ...message, ...calls];
};

const statusOf = ({ turn, cut }: ReadyTurn) => {
  if (turn.finish !== undefined) return { status: 'incomplete', incomplete_details: { reason: turn.finish } };
  return cut
    ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    : { status: 'completed', incomplete_details: null };
};

/** The members that a response repeats from its request. */
const frameOf = ({ request, id }: ReadyTurn) => ({
  id: id('resp_'),
  object: 'response',
  created_at: CREATED,
  background: false,
  error: null,
  instructions: request.body['instructions'] ?? null,
  max_output_tokens: request.maxTokens ?? null,
  model: request.model,
  parallel_tool_calls: request.body['parallel_tool_calls'] ?? true,
  previous_response_id: request.body['previous_response_id'] ?? null,
  reasoning: { effort: null, summary: null },
  store: request.body['store'] ?? true,
  temperature: request.body['temperature'] ?? 1,
  text: request.body['text'] ?? { format: { type: 'text' } },
  tool_choice: request.body['tool_choice'] ?? 'auto',
  tools: request.body['tools'] ?? [],
  top_p: request.body['top_p'] ?? 1,
  truncation: 'disabled',
  metadata: request.body['metadata'] ?? {},
});

const whole = (ready: ReadyTurn): Record<string, unknown> => ({
  ...frameOf(ready),
  ...statusOf(ready),
  output: itemsOf(ready),
  usage: usageOf(ready),
});

type Event = Record<string, unknown> & { readonly type: string };

const messageEvents = (item: Item, output_index: number, text: string, chunks: readonly string[]): readonly Event[] => {
  const at = { item_id: item.id, output_index, content_index: 0 };
  return [
    { type: 'response.content_part.added', ...at, part: textPart('') },
    ...chunks.map((delta) => ({ type: 'response.output_text.delta', ...at, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...at, text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part: textPart(text) },
  ];
};

const reasoningEvents = (
  item: Item,
  output_index: number,
  text: string,
  chunks: readonly string[],
): readonly Event[] => {
  const at = { item_id: item.id, output_index, summary_index: 0 };
  return [
    { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
    ...chunks.map((delta) => ({ type: 'response.reasoning_summary_text.delta', ...at, delta })),
    { type: 'response.reasoning_summary_text.done', ...at, text },
    { type: 'response.reasoning_summary_part.done', ...at, part: { type: 'summary_text', text } },
  ];
};

const callEvents = (item: Item, output_index: number, chunks: readonly string[]): readonly Event[] => {
  const at = { item_id: item.id, output_index };
  return [
    ...chunks.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
    { type: 'response.function_call_arguments.done', ...at, name: item['name'], arguments: item['arguments'] },
  ];
};

/** The item as it is announced, before anything of it was said. */
const announced = (item: Item): Item => {
  switch (item.type) {
    case 'message':
      return { ...item, status: 'in_progress', content: [] };
    case 'reasoning':
      return { ...item, summary: [] };
    default:
      return { ...item, status: 'in_progress', arguments: '' };
  }
};

const itemEvents = ({ turn }: ReadyTurn, item: Item, at: number): readonly Event[] => {
  switch (item.type) {
    case 'message':
      return messageEvents(item, at, turn.text ?? '', inChunks(turn.text ?? '', turn));
    case 'reasoning':
      return reasoningEvents(item, at, turn.thinking ?? '', inChunks(turn.thinking ?? '', turn));
    default:
      return callEvents(item, at, inChunks(String(item['arguments']), turn));
  }
};

const stream = (ready: ReadyTurn): readonly StreamPiece[] => {
  const frame = frameOf(ready);
  const output = itemsOf(ready);
  const { status, ...rest } = statusOf(ready);
  const begun = { ...frame, status: 'in_progress', incomplete_details: null, output: [], usage: null };
  const events: readonly Event[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...output.flatMap((item, at) => [
      { type: 'response.output_item.added', output_index: at, item: announced(item) },
      ...itemEvents(ready, item, at),
      { type: 'response.output_item.done', output_index: at, item },
    ]),
    { type: `response.${status}`, response: { ...frame, status, ...rest, output, usage: usageOf(ready) } },
  ];
  return events.map((event, at) => ({ event: event.type, data: { ...event, sequence_number: at } }));
};

/** OpenAI's Responses. */
export const responses: ProviderApi = {
  read: readResponses,
  whole,
  stream,
  encode: serverSentEvent,
  streamType: 'text/event-stream; charset=utf-8',
  problem: openaiProblem,
  streamProblem: {
    event: 'error',
    data: {
      type: 'error',
      code: 'server_error',
      message: 'The server had an error.',
      param: null,
      sequence_number: 99,
    },
  },
};
