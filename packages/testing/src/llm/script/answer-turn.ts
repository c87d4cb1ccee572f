import type { Reply } from '../wire/reply.js';
import { jsonReply } from '../wire/reply.js';
import type { StreamPiece } from '../wire/stream-piece.js';
import type { LlmRequest } from './llm-request.js';
import type { ProviderApi, ReadyTurn } from './provider-api.js';
import { withinLimit } from './reckon-usage.js';
import type { LlmFault, Turn } from './turn.js';

const before = (
  pieces: readonly StreamPiece[],
  count: number,
  ...rest: readonly StreamPiece[]
): readonly StreamPiece[] => [...pieces.slice(0, count), ...rest];

const disturb = (
  pieces: readonly StreamPiece[],
  fault: Exclude<LlmFault, { status: number } | { body: string } | 'hang'>,
  problem: StreamPiece,
): readonly StreamPiece[] => {
  if ('cutAfter' in fault) return before(pieces, fault.cutAfter, 'cut');
  if ('errorAfter' in fault) return before(pieces, fault.errorAfter, problem);
  if ('everyMs' in fault) return pieces.flatMap((piece) => [{ waitMs: fault.everyMs }, piece]);
  const next = pieces[fault.malformedAfter];
  const event = typeof next === 'object' && 'event' in next ? { event: next.event } : {};
  return before(pieces, fault.malformedAfter, { ...event, data: '{"oops": ' }, ...pieces.slice(fault.malformedAfter));
};

const streamed = (api: ProviderApi, ready: ReadyTurn): Reply => {
  const { fault, tamperStream } = ready.turn;
  const pieces = api.stream(ready);
  const disturbed =
    fault === undefined || fault === 'hang' || 'status' in fault || 'body' in fault
      ? pieces
      : disturb(pieces, fault, api.streamProblem);
  return {
    headers: { 'content-type': api.streamType, 'cache-control': 'no-cache' },
    pieces: tamperStream === undefined ? disturbed : tamperStream(disturbed),
    encode: api.encode,
  };
};

const faultReply = (api: ProviderApi, fault: LlmFault | undefined, stream: boolean): Reply | undefined => {
  if (fault === undefined) return undefined;
  if (fault === 'hang') return 'hang';
  if ('status' in fault) return api.problem({ ...fault, message: fault.message ?? `The double was told to fail.` });
  if ('body' in fault) {
    return { status: 200, headers: { 'content-type': fault.contentType ?? 'application/json' }, body: fault.body };
  }
  return 'cutAfter' in fault && !stream ? 'cut' : undefined;
};

/** The reply to a request that was accepted. */
export const answerTurn = (api: ProviderApi, request: LlmRequest, turn: Turn, id: ReadyTurn['id']): Reply => {
  const failed = faultReply(api, turn.fault, request.stream);
  if (failed !== undefined) return failed;
  const ready: ReadyTurn = { ...withinLimit(turn, request.maxTokens), request, id };
  if (request.stream) return streamed(api, ready);
  const body = api.whole(ready);
  return jsonReply(turn.tamper === undefined ? body : turn.tamper(body));
};

/** The text in the pieces of a stream. */
export const inChunks = (text: string, turn: Turn): readonly string[] => {
  const size = turn.chunk ?? 8;
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  );
};
