import { randomBytes } from 'node:crypto';
import type { GeneratorFigures, LoadPhase } from '@plugboard/contract';
import type { Child } from '../../connection/child.js';
import type { Violations } from '../call/violations.js';
import { Tally } from '../generator/tally.js';
import type { Ground, LoadCrew, Workers } from '../scenario/ground.js';
import { shapeOf, whileTelling, type Measurement, type Moment } from '../scenario/measure.js';
import { WorkerClient } from './worker-client.js';
import type { WorkerStart } from './worker-message.js';

/** The share of each of several, as even as whole numbers are. */
export const shares = (whole: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => Math.floor((whole + index) / count)).toReversed();

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const most = (values: readonly number[]): number => Math.max(0, ...values);

/** Together: counts are added, and percentiles are those of the slowest worker until the histograms are merged. */
export const momentOfAll = (moments: readonly Moment[]): Moment => {
  const errors: Record<string, number> = {};
  for (const [error, count] of moments.flatMap((moment) => Object.entries(moment.errors))) {
    errors[error] = (errors[error] ?? 0) + count;
  }
  return {
    calls: sum(moments.map(({ calls }) => calls)),
    failed: sum(moments.map(({ failed }) => failed)),
    errors,
    p50: most(moments.map(({ p50 }) => p50)),
    p95: most(moments.map(({ p95 }) => p95)),
    p99: most(moments.map(({ p99 }) => p99)),
  };
};

/** What all processes of a generator cost together; the busiest one decides whether it was saturated. */
export const figuresOfAll = (own: GeneratorFigures, others: readonly GeneratorFigures[]): GeneratorFigures => {
  const all = [own, ...others];
  return {
    cpuMicrosecondsPerCall: sum(all.map(({ cpuMicrosecondsPerCall }) => cpuMicrosecondsPerCall)),
    utilisation: most(all.map(({ utilisation }) => utilisation)),
    loopDelayP99: most(all.map(({ loopDelayP99 }) => loopDelayP99)),
    workers: others.length,
    saturated: all.some(({ saturated }) => saturated),
  };
};

/** Processes that share the load of a run. */
export class LoadWorkers implements Workers {
  readonly #workers: readonly WorkerClient[];
  readonly #signal: AbortSignal;

  private constructor(workers: readonly WorkerClient[], signal: AbortSignal) {
    this.#workers = workers;
    this.#signal = signal;
    if (signal.aborted) this.#halt();
    else signal.addEventListener('abort', this.#halt, { once: true });
  }

  static async start(
    count: number,
    launch: () => Child,
    start: Pick<WorkerStart, 'target' | 'era' | 'call'>,
    signal: AbortSignal,
  ): Promise<LoadWorkers> {
    const run = randomBytes(4).toString('hex');
    const workers = new LoadWorkers(
      Array.from({ length: count }, () => new WorkerClient(launch())),
      signal,
    );
    try {
      await workers.#each((worker, index) =>
        worker.ask({ order: 'start', start: { ...start, run, worker: `${index + 1}-` } }),
      );
      return workers;
    } catch (error) {
      await workers.end();
      throw error;
    }
  }

  get count(): number {
    return this.#workers.length;
  }

  async openCrew(ground: Ground, size: number): Promise<LoadCrew & { close(): Promise<void> }> {
    const sizes = shares(size, this.count);
    const opened = await this.#each((worker, index) => worker.ask({ order: 'open', size: sizes[index] ?? 0 }));
    return {
      size: sum(opened.map((one) => one.size)),
      attempted: size,
      measure: (measurement) => this.#measure(ground, measurement, sum(opened.map((one) => one.size))),
      close: async () => {
        await this.#each((worker) => worker.ask({ order: 'close' }));
      },
    };
  }

  /** What the workers found and cost; they have done so many calls. */
  async stop(calls: number, violations: Violations): Promise<readonly GeneratorFigures[]> {
    const stopped = await this.#each((worker) => worker.ask({ order: 'stop', calls }));
    for (const one of stopped) violations.merge(one.violations);
    return stopped.map(({ figures }) => figures);
  }

  async end(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#halt);
    await Promise.allSettled(this.#workers.map((worker) => worker.end()));
  }

  async #measure(ground: Ground, measurement: Measurement, size: number): Promise<LoadPhase> {
    const { rate, calls } = measurement;
    const callShares = calls === undefined ? undefined : shares(calls, this.count);
    const tally = new Tally(shapeOf(measurement, size), performance.now());
    const moment = (): Moment => momentOfAll(this.#workers.flatMap((worker) => worker.moment ?? []));
    const measured = await whileTelling(ground, measurement, { callers: size, moment }, () =>
      this.#each((worker, index) =>
        worker.ask({
          order: 'measure',
          measurement: {
            ...measurement,
            ...(rate === undefined ? {} : { rate: rate / this.count }),
            ...(callShares === undefined ? {} : { calls: callShares[index] ?? 0 }),
          },
        }),
      ),
    );
    for (const one of measured) tally.add(one.tally);
    const phase = tally.phase(performance.now());
    if (measurement.silent !== true) ground.onPhase(phase);
    return phase;
  }

  /** They are in process groups of their own: no signal of the terminal reaches them. */
  readonly #halt = (): void => {
    void Promise.allSettled(this.#workers.map((worker) => worker.ask({ order: 'halt' })));
  };

  async #each<T>(ask: (worker: WorkerClient, index: number) => Promise<T>): Promise<readonly T[]> {
    return await Promise.all(this.#workers.map(ask));
  }
}
