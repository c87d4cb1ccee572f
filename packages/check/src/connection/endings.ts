/** How long a process may take to end, once its input has ended or SIGTERM was sent. */
const GRACE_MS = 2_000;

/** In a smoke run, which is to take hardly longer than the start of the server. */
export const SHORT_GRACE_MS = 500;

type Way = 'end of input' | 'SIGTERM';

/**
 * What the processes of one program did when they were asked to end. A program that ignored the end of its input once is not
 * given that time again: a run ends dozens of processes.
 */
export class Endings {
  readonly #ignored = new Set<Way>();
  readonly #graceMs: number;

  constructor(graceMs = GRACE_MS) {
    this.#graceMs = graceMs;
  }

  graceAfter(way: Way): number {
    return this.#ignored.has(way) ? 0 : this.#graceMs;
  }

  ignored(way: Way): void {
    this.#ignored.add(way);
  }
}
