import type { LlmRequest } from './llm-request.js';
import type { Turn } from './turn.js';

export type TurnSource = Turn | ((request: LlmRequest) => Turn);

const NOTHING_LEFT: Turn = { fault: { status: 500, message: 'The double has no turn left.' } };

/** The turns of the model: those of `next` once each and in order, then that of `always`. */
export class TurnScript {
  readonly #queue: TurnSource[] = [];
  #fallback: TurnSource = NOTHING_LEFT;

  next(...turns: readonly TurnSource[]): void {
    this.#queue.push(...turns);
  }

  always(turn: TurnSource): void {
    this.#fallback = turn;
  }

  take(request: LlmRequest): Turn {
    const source = this.#queue.shift() ?? this.#fallback;
    return typeof source === 'function' ? source(request) : source;
  }
}
