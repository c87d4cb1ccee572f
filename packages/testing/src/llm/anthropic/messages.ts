import type { ProviderApi, ReadyTurn } from '../script/provider-api.js';
import { inChunks } from '../script/answer-turn.js';
import { argumentText, reckonUsage } from '../script/reckon-usage.js';
import { serverSentEvent } from '../wire/server-sent-event.js';
import type { StreamPiece } from '../wire/stream-piece.js';
import { readMessages } from './read-messages.js';
import type { RefusalFacts } from '../script/refusal.js';
import { jsonReply, type WholeReply } from '../wire/reply.js';

/** A block of an answer: how it begins, what comes in pieces, and what it is in the end. */
interface Block {
  readonly start: object;
  readonly deltas: readonly object[];
  readonly whole: object;
}

const stopOf = ({ turn, cut }: ReadyTurn): string => {
  if (turn.finish !== undefined) return turn.finish;
  if (cut) return 'max_tokens';
  return (turn.toolCalls ?? []).length > 0 ? 'tool_use' : 'end_turn';
};

const SIGNATURE = 'c2lnbmF0dXJlIG9mIHRoZSBkb3VibGU=';

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
};

const blocksOf = ({ turn, id }: ReadyTurn): readonly Block[] => {
  const { thinking, text } = turn;
  const thought: readonly Block[] =
    thinking === undefined
      ? []
      : [
          {
            start: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              ...inChunks(thinking, turn).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
              { type: 'signature_delta', signature: SIGNATURE },
            ],
            whole: { type: 'thinking', thinking, signature: SIGNATURE },
          },
        ];
  const said: readonly Block[] =
    text === undefined
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: inChunks(text, turn).map((piece) => ({ type: 'text_delta', text: piece })),
            whole: { type: 'text', text },
          },
        ];
  const calls = (turn.toolCalls ?? []).map((call): Block => {
    const use = { type: 'tool_use', id: call.id ?? id('toolu_'), name: call.name };
    const json = argumentText(call);
    return {
      start: { ...use, input: {} },
      deltas: ['', ...inChunks(json, turn)].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      whole: { ...use, input: parsed(json) },
    };
  });
  return [...thought, ...said, ...calls];
};

const usageOf = ({ turn, request }: ReadyTurn) => {
  const usage = reckonUsage(turn, request);
  if (usage === undefined) return undefined;
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cachedInput,
    output_tokens: usage.output,
    service_tier: 'standard',
  };
};

const frameOf = ({ request, id }: ReadyTurn) => ({
  id: id('msg_'),
  type: 'message',
  role: 'assistant',
  model: request.model,
});

const whole = (ready: ReadyTurn): Record<string, unknown> => {
  const usage = usageOf(ready);
  return {
    ...frameOf(ready),
    content: blocksOf(ready).map((block) => block.whole),
    stop_reason: stopOf(ready),
    stop_sequence: null,
    ...(usage === undefined ? {} : { usage }),
  };
};

const event = (type: string, members: object = {}): StreamPiece => ({ event: type, data: { type, ...members } });

const stream = (ready: ReadyTurn): readonly StreamPiece[] => {
  const usage = usageOf(ready);
  const message = {
    ...frameOf(ready),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(usage === undefined ? {} : { usage: { ...usage, output_tokens: 1 } }),
  };
  return [
    event('message_start', { message }),
    event('ping'),
    ...blocksOf(ready).flatMap(({ start, deltas }, index) => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: stopOf(ready), stop_sequence: null },
      ...(usage === undefined ? {} : { usage: { output_tokens: usage.output_tokens } }),
    }),
    event('message_stop'),
  ];
};

const USUAL: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** An error in Anthropic's envelope. */
const anthropicProblem = ({ status, message, type, headers }: RefusalFacts): WholeReply => {
  const error = { type: type ?? USUAL[status] ?? 'api_error', message };
  return jsonReply({ type: 'error', error, request_id: 'req_double' }, status, {
    'request-id': 'req_double',
    ...headers,
  });
};

/** Anthropic's Messages. */
export const messages: ProviderApi = {
  read: readMessages,
  whole,
  stream,
  encode: serverSentEvent,
  streamType: 'text/event-stream; charset=utf-8',
  problem: anthropicProblem,
  streamProblem: event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
};
