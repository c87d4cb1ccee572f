import type { RpcId } from '../message/rpc-answer.js';

/** The answers to one batch, which go out together once the last is there. */
export class BatchAnswers {
  readonly #open: Set<RpcId>;
  readonly #answers: object[];

  constructor(ids: readonly RpcId[], answers: readonly object[]) {
    this.#open = new Set(ids);
    this.#answers = [...answers];
  }

  get complete(): boolean {
    return this.#open.size === 0;
  }

  get answers(): readonly object[] {
    return this.#answers;
  }

  /** Whether the answer belongs here. */
  take(id: RpcId, answer: object): boolean {
    if (!this.#open.delete(id)) return false;
    this.#answers.push(answer);
    return true;
  }
}
