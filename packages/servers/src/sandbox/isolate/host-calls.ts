/** Answers a question of the guest; both are texts that neither side trusts. */
export type AnswerGuest = (question: string) => Promise<string>;

export interface GuestAnswer {
  readonly id: number;
  readonly text: string;
}

/** How often one run may ask the host. */
const MAX_CALLS = 500;

/** Questions of one run that wait for the host, and the answers that the guest has not seen yet. */
export class HostCalls {
  readonly #answer: AnswerGuest | undefined;
  readonly #answers: GuestAnswer[] = [];
  #pending = 0;
  #made = 0;
  #wake: (() => void) | undefined;

  constructor(answer: AnswerGuest | undefined) {
    this.#answer = answer;
  }

  /** False when this run may not ask, or asked too often. */
  start(id: number, question: string): boolean {
    if (this.#answer === undefined || this.#made >= MAX_CALLS) return false;
    this.#made += 1;
    this.#pending += 1;
    const settle = (text: string): void => {
      this.#pending -= 1;
      this.#answers.push({ id, text });
      this.#wake?.();
    };
    // Handlers report failures as answers; other errors must not reveal the host to the guest.
    this.#answer(question).then(settle, () => settle(''));
    return true;
  }

  get isWaiting(): boolean {
    return this.#pending > 0 || this.#answers.length > 0;
  }

  take(): readonly GuestAnswer[] {
    return this.#answers.splice(0);
  }

  /** Resolves with the next answer, or after the time has passed. */
  async next(withinMs: number | undefined): Promise<void> {
    if (this.#answers.length > 0) return;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        if (withinMs !== undefined) timer = setTimeout(resolve, withinMs);
      });
    } finally {
      this.#wake = undefined;
      clearTimeout(timer);
    }
  }
}
