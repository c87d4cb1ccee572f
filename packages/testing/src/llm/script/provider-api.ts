import type { Arrival } from '../wire/arrival.js';
import type { Reply } from '../wire/reply.js';
import type { PieceEncoder, StreamPiece } from '../wire/stream-piece.js';
import type { LlmRequest } from './llm-request.js';
import type { Reading } from './reading.js';
import type { RefusalFacts } from './refusal.js';
import type { Turn } from './turn.js';

/** A turn that is ready to be written: within the limit of the request, or cut by it. */
export interface ReadyTurn {
  readonly turn: Turn;
  readonly cut: boolean;
  readonly request: LlmRequest;
  /** Makes ids that are different in one double and the same in every run. */
  readonly id: (prefix: string) => string;
}

/** How one provider writes the same thing. */
export interface ProviderApi {
  readonly read: (arrival: Arrival, reading: Reading) => LlmRequest;
  readonly whole: (ready: ReadyTurn) => Record<string, unknown>;
  readonly stream: (ready: ReadyTurn) => readonly StreamPiece[];
  readonly encode: PieceEncoder;
  readonly streamType: string;
  readonly problem: (facts: RefusalFacts) => Reply;
  /** An error inside a stream. */
  readonly streamProblem: StreamPiece;
}
