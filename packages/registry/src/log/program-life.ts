import type { ProgramExit, ProgramFacts } from '@plugboard/contract';
import type { KeptLogEntry } from '../store/log-store.js';

const HOUR_MS = 3_600_000;
const MAX_TIMES = 1000;
/** Ends that the hub or an operator asked for. */
const ASKED_FOR: ReadonlySet<string> = new Set(['stopped', 'idle']);

export const isFailure = ({ reason, code }: Pick<ProgramExit, 'reason' | 'code'>): boolean =>
  !ASKED_FOR.has(reason) && code !== 0;

const within = (times: readonly number[], now: number): number => times.filter((at) => at > now - HOUR_MS).length;

/** The starts and ends of the programs of one server within the last hour. */
export class ProgramLife {
  #starts: number[] = [];
  #failures: number[] = [];
  #running = 0;
  #lastExit: ProgramFacts['last_exit'] = null;

  /** What an earlier hub wrote down: nothing of it runs any more. */
  recall(entry: KeptLogEntry): void {
    this.note(entry);
    this.#running = 0;
  }

  note({ kind, at, exit }: KeptLogEntry): void {
    const time = Date.parse(at);
    if (kind === 'started') {
      this.#starts = [...this.#starts, time].slice(-MAX_TIMES);
      this.#running += 1;
    }
    if (kind !== 'exited' || exit === undefined) return;
    this.#running = Math.max(0, this.#running - 1);
    const failed = isFailure(exit);
    if (failed) this.#failures = [...this.#failures, time].slice(-MAX_TIMES);
    // An end that was asked for does not cover up why the one before failed.
    if (failed || this.#lastExit === null || within(this.#failures, time) === 0) this.#lastExit = exit;
  }

  /** Undefined when nothing was ever started. */
  facts(now: number): ProgramFacts | undefined {
    if (this.#starts.length === 0 && this.#lastExit === null) return undefined;
    return {
      running: this.#running,
      starts_last_hour: within(this.#starts, now),
      failures_last_hour: within(this.#failures, now),
      last_exit: this.#lastExit,
    };
  }
}
