import type { BenchEvent } from '@plugboard/check';
import type { BenchFigures, BenchReport, BenchRun } from '@plugboard/contract';

type BenchRunStart = Omit<BenchRun, 'state' | 'done'>;

/** Of the measured load; a run that was cut short has none. */
const figuresOf = ({ scenarios }: BenchReport): BenchFigures | undefined => {
  const phase = scenarios.flatMap(({ phases }) => phases).find(({ name }) => name === 'steady');
  if (phase === undefined) return undefined;
  const { calls, failed, callsPerSecond, uncorrected } = phase;
  const { p50, p95, p99 } = uncorrected;
  return { calls, failed, calls_per_second: callsPerSecond, p50, p95, p99 };
};

/** A benchmark that this hub carries out, from the moment that it was asked for. */
export class ActiveBench {
  readonly controller = new AbortController();
  readonly ended: Promise<void>;
  #view: BenchRun;
  #resolveEnded: () => void = () => undefined;

  constructor(start: BenchRunStart) {
    this.#view = { ...start, state: 'queued', done: 0 };
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  get view(): BenchRun {
    return this.#view;
  }

  get id(): string {
    return this.#view.id;
  }

  began(): void {
    this.#view = { ...this.#view, state: 'running' };
  }

  /** What the generator says while it works. */
  heard(event: BenchEvent): void {
    if (event.type !== 'progress') return;
    const { phase, elapsedMs, totalMs, calls, failed, callsPerSecond, p50, p95, p99 } = event;
    this.#view = {
      ...this.#view,
      phase,
      done: Math.min(1, elapsedMs / totalMs),
      figures: { calls, failed, calls_per_second: callsPerSecond, p50, p95, p99 },
    };
  }

  finished(report: BenchReport): void {
    const { phase: _phase, figures: _figures, ...rest } = this.#view;
    const { target, outcome, reason, call } = report;
    const figures = figuresOf(report);
    this.#view = {
      ...rest,
      state: 'finished',
      done: 1,
      target,
      finished_at: new Date().toISOString(),
      outcome,
      ...(call?.tool === undefined ? {} : { tool: call.tool }),
      ...(figures === undefined ? {} : { figures }),
      ...(reason === undefined ? {} : { reason }),
    };
  }

  failed(reason: string): void {
    const { phase: _phase, figures: _figures, ...rest } = this.#view;
    this.#view = {
      ...rest,
      state: 'finished',
      finished_at: new Date().toISOString(),
      outcome: 'incomplete',
      reason,
    };
    this.settled();
  }

  /** Everything that follows from the end was done. */
  settled(): void {
    this.#resolveEnded();
  }
}
