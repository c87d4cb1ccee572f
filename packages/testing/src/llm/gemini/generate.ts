import { inChunks } from '../script/answer-turn.js';
import type { ProviderApi, ReadyTurn } from '../script/provider-api.js';
import { reckonUsage } from '../script/reckon-usage.js';
import type { RefusalFacts } from '../script/refusal.js';
import type { ScriptedToolCall } from '../script/turn.js';
import { isObject } from '../wire/json-view.js';
import { jsonReply, type WholeReply } from '../wire/reply.js';
import { serverSentEvent } from '../wire/server-sent-event.js';
import type { StreamPiece } from '../wire/stream-piece.js';
import { readGenerate } from './read-generate.js';

type Part = Readonly<Record<string, unknown>>;

const SIGNATURE = 'c2lnbmF0dXJlIG9mIHRoZSBkb3VibGU=';

/** Gemini writes arguments as JSON only: what is none is a call that it reports as malformed. */
const argsOf = ({ arguments: given }: ScriptedToolCall): object | undefined => {
  if (typeof given !== 'string') return given;
  try {
    const value: unknown = JSON.parse(given);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isMalformed = ({ turn }: ReadyTurn): boolean => (turn.toolCalls ?? []).some((call) => argsOf(call) === undefined);

const callParts = ({ turn, id }: ReadyTurn): readonly Part[] =>
  (turn.toolCalls ?? []).map((call, at) => ({
    functionCall: { id: call.id ?? id('call_'), name: call.name, args: argsOf(call) ?? {} },
    // Parallel calls are one step, and only its first call is signed.
    ...(at === 0 ? { thoughtSignature: SIGNATURE } : {}),
  }));

const finishOf = (ready: ReadyTurn): string => {
  if (ready.turn.finish !== undefined) return ready.turn.finish;
  if (isMalformed(ready)) return 'MALFORMED_FUNCTION_CALL';
  return ready.cut ? 'MAX_TOKENS' : 'STOP';
};

const usageOf = ({ turn, request }: ReadyTurn) => {
  const usage = reckonUsage(turn, request);
  if (usage === undefined) return {};
  return {
    usageMetadata: {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output - usage.reasoning,
      totalTokenCount: usage.input + usage.output,
      ...(usage.cachedInput === 0 ? {} : { cachedContentTokenCount: usage.cachedInput }),
      ...(usage.reasoning === 0 ? {} : { thoughtsTokenCount: usage.reasoning }),
    },
  };
};

const answer = (ready: ReadyTurn, responseId: string, parts: readonly Part[], isLast: boolean) => ({
  candidates: [
    {
      ...(parts.length === 0 ? {} : { content: { role: 'model', parts } }),
      ...(isLast ? { finishReason: finishOf(ready) } : {}),
      index: 0,
    },
  ],
  ...(isLast ? usageOf(ready) : {}),
  modelVersion: ready.request.model,
  responseId,
});

const whole = (ready: ReadyTurn): Record<string, unknown> => {
  const { thinking, text } = ready.turn;
  const parts = [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(text === undefined ? [] : [{ text }]),
    ...(isMalformed(ready) ? [] : callParts(ready)),
  ];
  return answer(ready, ready.id('resp_'), parts, true);
};

/** Texts come in pieces, calls whole. */
const stream = (ready: ReadyTurn): readonly StreamPiece[] => {
  const { thinking = '', text = '' } = ready.turn;
  const id = ready.id('resp_');
  const calls = isMalformed(ready) ? [] : callParts(ready);
  const groups: readonly (readonly Part[])[] = [
    ...inChunks(thinking, ready.turn).map((piece) => [{ text: piece, thought: true }]),
    ...inChunks(text, ready.turn).map((piece) => [{ text: piece }]),
    ...(calls.length === 0 ? [] : [calls]),
  ];
  const last = [{ text: '' }];
  return [
    ...groups.map((parts) => ({ data: answer(ready, id, parts, false) })),
    { data: answer(ready, id, isMalformed(ready) ? [] : last, true) },
  ];
};

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** An error in Google's envelope. */
const geminiProblem = ({ status, message, type, code, headers }: RefusalFacts): WholeReply => {
  const details =
    code === undefined
      ? {}
      : { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'googleapis.com' }] };
  const error = { code: status, message, status: type ?? STATUS[status] ?? 'INTERNAL', ...details };
  return jsonReply({ error }, status, { ...headers });
};

/** generateContent and streamGenerateContent of the Gemini API. */
export const generateContent: ProviderApi = {
  read: readGenerate,
  whole,
  stream,
  encode: serverSentEvent,
  streamType: 'text/event-stream',
  problem: geminiProblem,
  streamProblem: { data: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } } },
};
