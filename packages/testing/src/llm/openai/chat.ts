import type { ProviderApi, ReadyTurn } from '../script/provider-api.js';
import { inChunks } from '../script/answer-turn.js';
import { argumentText, reckonUsage } from '../script/reckon-usage.js';
import { isObject } from '../wire/json-view.js';
import { serverSentEvent } from '../wire/server-sent-event.js';
import type { StreamPiece } from '../wire/stream-piece.js';
import { openaiProblem } from './openai-problem.js';
import { readChat } from './read-chat.js';

const CREATED = 1_760_000_000;

const finishOf = ({ turn, cut }: ReadyTurn): string => {
  if (turn.finish !== undefined) return turn.finish;
  if (cut) return 'length';
  return (turn.toolCalls ?? []).length > 0 ? 'tool_calls' : 'stop';
};

const usageOf = ({ turn, request }: ReadyTurn) => {
  const usage = reckonUsage(turn, request);
  if (usage === undefined) return undefined;
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cachedInput, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
};

const callsOf = ({ turn, id }: ReadyTurn) =>
  (turn.toolCalls ?? []).map((call) => ({
    id: call.id ?? id('call_'),
    type: 'function',
    function: { name: call.name, arguments: argumentText(call) },
  }));

const whole = (ready: ReadyTurn): Record<string, unknown> => {
  const { turn, request, id } = ready;
  const calls = callsOf(ready);
  const usage = usageOf(ready);
  const message = {
    role: 'assistant',
    content: turn.text ?? null,
    refusal: null,
    annotations: [],
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    id: id('chatcmpl-'),
    object: 'chat.completion',
    created: CREATED,
    model: request.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishOf(ready) }],
    ...(usage === undefined ? {} : { usage }),
    service_tier: 'default',
    system_fingerprint: 'fp_double',
  };
};

const callDeltas = (ready: ReadyTurn): readonly object[] =>
  callsOf(ready).flatMap((call, index) => [
    { tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] },
    ...inChunks(call.function.arguments, ready.turn).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]);

const stream = (ready: ReadyTurn): readonly StreamPiece[] => {
  const { turn, request, id } = ready;
  const options = request.body['stream_options'];
  const withUsage = isObject(options) && options['include_usage'] === true;
  const head = {
    id: id('chatcmpl-'),
    object: 'chat.completion.chunk',
    created: CREATED,
    model: request.model,
    service_tier: 'default',
    system_fingerprint: 'fp_double',
  };
  const chunk = (delta: object, finish: string | null = null): StreamPiece => ({
    data: {
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage ? { usage: null } : {}),
    },
  });
  const usage = usageOf(ready);
  return [
    chunk({ role: 'assistant', content: turn.text === undefined ? null : '', refusal: null }),
    ...inChunks(turn.text ?? '', turn).map((content) => chunk({ content })),
    ...callDeltas(ready).map((delta) => chunk(delta)),
    chunk({}, finishOf(ready)),
    ...(withUsage && usage !== undefined ? [{ data: { ...head, choices: [], usage } }] : []),
    { data: '[DONE]' },
  ];
};

/** OpenAI's Chat Completions. */
export const chat: ProviderApi = {
  read: readChat,
  whole,
  stream,
  encode: serverSentEvent,
  streamType: 'text/event-stream; charset=utf-8',
  problem: openaiProblem,
  streamProblem: {
    data: { error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } },
  },
};
