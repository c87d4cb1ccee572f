import { inChunks } from '../script/answer-turn.js';
import type { ProviderApi, ReadyTurn } from '../script/provider-api.js';
import { argumentText, reckonUsage } from '../script/reckon-usage.js';
import type { StreamPiece } from '../wire/stream-piece.js';
import { converseFrame } from './event-frame.js';
import { readConverse } from './read-converse.js';
import type { AwsCredentials } from './signature.js';
import type { RefusalFacts } from '../script/refusal.js';
import { jsonReply, type WholeReply } from '../wire/reply.js';

interface Block {
  /** Blocks of text begin with their first piece. */
  readonly start?: object;
  readonly deltas: readonly object[];
  readonly whole: object;
}

const SIGNATURE = 'c2lnbmF0dXJlIG9mIHRoZSBkb3VibGU=';

const stopOf = ({ turn, cut }: ReadyTurn): string => {
  if (turn.finish !== undefined) return turn.finish;
  if (cut) return 'max_tokens';
  return (turn.toolCalls ?? []).length > 0 ? 'tool_use' : 'end_turn';
};

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
            deltas: [
              ...inChunks(thinking, turn).map((piece) => ({ reasoningContent: { text: piece } })),
              { reasoningContent: { signature: SIGNATURE } },
            ],
            whole: { reasoningContent: { reasoningText: { text: thinking, signature: SIGNATURE } } },
          },
        ];
  const said: readonly Block[] =
    text === undefined ? [] : [{ deltas: inChunks(text, turn).map((piece) => ({ text: piece })), whole: { text } }];
  const calls = (turn.toolCalls ?? []).map((call): Block => {
    const use = { toolUseId: call.id ?? id('tooluse_'), name: call.name };
    const json = argumentText(call);
    return {
      start: { toolUse: use },
      deltas: inChunks(json, turn).map((piece) => ({ toolUse: { input: piece } })),
      whole: { toolUse: { ...use, input: parsed(json) } },
    };
  });
  return [...thought, ...said, ...calls];
};

const usageOf = ({ turn, request }: ReadyTurn) => {
  const usage = reckonUsage(turn, request);
  if (usage === undefined) return {};
  return {
    usage: {
      inputTokens: usage.input,
      outputTokens: usage.output,
      totalTokens: usage.input + usage.output,
      cacheReadInputTokens: usage.cachedInput,
      cacheWriteInputTokens: usage.cacheWrite,
    },
  };
};

const METRICS = { metrics: { latencyMs: 1 } };

const whole = (ready: ReadyTurn): Record<string, unknown> => ({
  output: { message: { role: 'assistant', content: blocksOf(ready).map((block) => block.whole) } },
  stopReason: stopOf(ready),
  ...usageOf(ready),
  ...METRICS,
});

const blockEvents = ({ start, deltas }: Block, contentBlockIndex: number): readonly StreamPiece[] => [
  ...(start === undefined ? [] : [{ event: 'contentBlockStart', data: { contentBlockIndex, start } }]),
  ...deltas.map((delta) => ({ event: 'contentBlockDelta', data: { contentBlockIndex, delta } })),
  { event: 'contentBlockStop', data: { contentBlockIndex } },
];

const stream = (ready: ReadyTurn): readonly StreamPiece[] => [
  { event: 'messageStart', data: { role: 'assistant' } },
  ...blocksOf(ready).flatMap(blockEvents),
  { event: 'messageStop', data: { stopReason: stopOf(ready) } },
  { event: 'metadata', data: { ...usageOf(ready), ...METRICS } },
];

const USUAL: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  402: 'ServiceQuotaExceededException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
};

/** An error as AWS sends it: its name is in a header. */
const bedrockProblem = ({ status, message, type, headers }: RefusalFacts): WholeReply =>
  jsonReply({ message }, status, {
    'x-amzn-requestid': 'double',
    'x-amzn-errortype': type ?? USUAL[status] ?? 'InternalServerException',
    ...headers,
  });

/** Bedrock's Converse and ConverseStream. */
export const converse = (credentials: AwsCredentials): ProviderApi => ({
  read: readConverse(credentials),
  whole,
  stream,
  encode: converseFrame,
  streamType: 'application/vnd.amazon.eventstream',
  problem: bedrockProblem,
  streamProblem: { event: 'throttlingException', data: { message: 'Too many requests.' } },
});
