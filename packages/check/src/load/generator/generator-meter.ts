import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { GeneratorFigures } from '@plugboard/contract';

/** From this utilisation on, what is measured may be the generator. */
const BUSY = 0.9;

/** Measures what the generator itself costs. */
export class GeneratorMeter {
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #cpu = process.cpuUsage();
  readonly #loop = performance.eventLoopUtilization();

  constructor() {
    this.#delay.enable();
  }

  /** How busy it has been so far. */
  get utilisation(): number {
    return performance.eventLoopUtilization(this.#loop).utilization;
  }

  stop(calls: number): GeneratorFigures {
    this.#delay.disable();
    const { user, system } = process.cpuUsage(this.#cpu);
    const utilisation = this.utilisation;
    return {
      cpuMicrosecondsPerCall: calls === 0 ? 0 : (user + system) / calls,
      utilisation,
      // The timer itself rests 10 ms between two looks.
      loopDelayP99: Math.max(0, this.#delay.percentile(99) / 1e6 - 10),
      saturated: utilisation > BUSY,
    };
  }
}
