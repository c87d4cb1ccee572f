/** How long a process may take to end, once its input has ended or SIGTERM was sent. */
const GRACE_MS = 2_000;

type Way = 'end of input' | 'SIGTERM';

/**
 * What the processes of one program did when they were asked to end. A program that ignored the end of its input once is not
 * given two seconds for it again: a run ends dozens of processes.
 */
export class Endings {
  readonly #ignored = new Set<Way>();

  graceAfter(way: Way): number {
    return this.#ignored.has(way) ? 0 : GRACE_MS;
  }

  ignored(way: Way): void {
    this.#ignored.add(way);
  }
}
