import { anySignal } from '../../connection/any-signal.js';
import { setMaxListeners } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { loadPlan } from '@plugboard/contract';
import { LineSplitter } from '../../connection/line-splitter.js';
import { openLink } from '../../locate/open-link.js';
import type { PlaceOptions } from '../../locate/place.js';
import { createOracles } from '../../oracle/schema-oracle.js';
import { checkTarget } from '../../target/target.js';
import { Canaries } from '../call/canary.js';
import { Violations } from '../call/violations.js';
import { GeneratorMeter } from '../generator/generator-meter.js';
import { Tally } from '../generator/tally.js';
import { openCrew, type Crew } from '../scenario/crew.js';
import type { Ground } from '../scenario/ground.js';
import { fillTally, momentOf, shapeOf, whileTelling } from '../scenario/measure.js';
import { Metrics } from '../threshold/metrics.js';
import type { WorkerOrder, WorkerReport, WorkerResult, WorkerStart } from './worker-message.js';

export interface WorkerStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** What a worker does, one order after the other. */
class LoadWorker {
  readonly #tell: (report: WorkerReport) => void;
  readonly #options: PlaceOptions;
  readonly #signal: AbortSignal;
  readonly #violations = new Violations();
  readonly #meter = new GeneratorMeter();
  readonly #halted = new AbortController();
  #ground: Ground | undefined;
  #crew: Crew | undefined;

  constructor(options: PlaceOptions, signal: AbortSignal, tell: (report: WorkerReport) => void) {
    this.#options = options;
    this.#signal = anySignal(signal, this.#halted.signal);
    setMaxListeners(0, this.#signal);
    this.#tell = tell;
  }

  async obey(order: WorkerOrder): Promise<WorkerResult> {
    switch (order.order) {
      case 'start':
        this.#ground = await this.#start(order.start);
        return { order: 'start' };
      case 'open': {
        const crew = await openCrew(this.#known(), order.size);
        this.#crew = crew;
        return { order: 'open', size: crew.callers.length, refusals: crew.refusals };
      }
      case 'measure': {
        const { measurement } = order;
        const callers = this.#crew?.callers ?? [];
        const tally = new Tally(shapeOf(measurement, callers.length), performance.now());
        const watched = { callers: callers.length, moment: () => momentOf(tally) };
        const ground = this.#known();
        await whileTelling(ground, measurement, watched, () => fillTally(ground, callers, measurement, tally));
        return { order: 'measure', tally: tally.state() };
      }
      case 'close':
        await this.close();
        return { order: 'close' };
      case 'halt':
        this.#halted.abort();
        return { order: 'halt' };
      case 'stop':
        await this.close();
        return { order: 'stop', violations: this.#violations.all, figures: this.#meter.stop(order.calls) };
      default:
        return order satisfies never;
    }
  }

  async close(): Promise<void> {
    await this.#crew?.close();
    this.#crew = undefined;
  }

  #known(): Ground {
    if (this.#ground === undefined) throw new Error('The worker received no target.');
    return this.#ground;
  }

  async #start({ target: given, era, call, run, worker }: WorkerStart): Promise<Ground> {
    const target = checkTarget.parse(given);
    const link = await openLink(target, this.#options, this.#signal);
    return {
      link,
      era,
      plan: target.load ?? loadPlan.parse({}),
      call,
      slowCall: undefined,
      canaries: new Canaries(run, worker),
      violations: this.#violations,
      metrics: new Metrics(),
      oracle: createOracles(),
      deadlineMs: target.budgets.requestMs,
      signal: this.#signal,
      shared: undefined,
      onSteady: () => undefined,
      onProgress: ({ calls, failed, errors, p50, p95, p99 }) =>
        this.#tell({ moment: { calls, failed, errors, p50, p95, p99 } }),
      onPhase: () => undefined,
    };
  }
}

/** Calls for another process: reads orders, one per line, and writes what came of them, until its input ends. */
export const serveLoadWorker = async (
  { input, output, signal: given }: WorkerStreams,
  options: PlaceOptions = {},
): Promise<void> => {
  const ended = new AbortController();
  const signal = anySignal(given, ended.signal);
  const tell = (report: WorkerReport): void => void output.write(`${JSON.stringify(report)}\n`);
  const worker = new LoadWorker(options, signal, tell);
  const obey = async (order: WorkerOrder): Promise<void> => {
    const { number } = order;
    try {
      tell({ number, result: await worker.obey(order) });
    } catch (error) {
      tell({ number, error: error instanceof Error ? error.message : String(error) });
    }
  };
  const lines = new LineSplitter();
  const stop = (): void => void input.destroy();
  given.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      for (const line of lines.push(chunk)) void obey(JSON.parse(line) as WorkerOrder);
    }
  } catch (error) {
    if (!given.aborted) throw error;
  } finally {
    given.removeEventListener('abort', stop);
    ended.abort();
    await worker.close();
  }
};
