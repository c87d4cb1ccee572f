import type { MonitorSeries } from '@plugboard/contract';
import { callFigures, type TimedCall } from './call-figures.js';

export interface MonitoredCall extends TimedCall {
  readonly method: string;
  readonly tool?: string | undefined;
  /** When it ended, in milliseconds since 1970; now when left out. */
  readonly at?: number | undefined;
}

export interface CallMonitorOptions {
  /** Older calls are forgotten. Default: none is, until the number is exceeded. */
  readonly windowMs?: number | undefined;
  /** How many calls of each method and tool are kept. Default: 2,000. */
  readonly maxCalls?: number | undefined;
  /** How many methods and tools are kept apart; calls of others are counted under `other`. Default: 200. */
  readonly maxSeries?: number | undefined;
  readonly now?: (() => number) | undefined;
}

interface Limits {
  readonly windowMs: number;
  readonly maxCalls: number;
  readonly maxSeries: number;
  readonly now: () => number;
}

interface Series {
  readonly method: string;
  readonly tool: string | undefined;
  readonly calls: (TimedCall & { readonly at: number })[];
}

const codeOf = (error: unknown): string => {
  if (typeof error === 'object' && error !== null && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : 'error';
};

/**
 * Collects how calls went and summarises them by method and tool: count, success rate, mean, least, greatest, percentiles and
 * errors. Memory is bounded. It is what the monitor of the hub uses, for any server and any client.
 */
export class CallMonitor {
  readonly #options: Limits;
  readonly #series = new Map<string, Series>();

  constructor(options: CallMonitorOptions = {}) {
    this.#options = {
      windowMs: options.windowMs ?? Number.POSITIVE_INFINITY,
      maxCalls: options.maxCalls ?? 2_000,
      maxSeries: options.maxSeries ?? 200,
      now: options.now ?? Date.now,
    };
  }

  record({ method, tool, durationMs, error, at = this.#options.now() }: MonitoredCall): void {
    const { calls } = this.#seriesOf(method, tool);
    calls.push({ durationMs, error, at });
    // Dropped in portions, because each removal moves the rest.
    if (calls.length > 1.25 * this.#options.maxCalls) calls.splice(0, calls.length - this.#options.maxCalls);
  }

  /** Runs a call and records how it went; the outcome is that of the call. */
  async measure<T>(method: string, call: () => Promise<T>, { tool }: { readonly tool?: string } = {}): Promise<T> {
    const began = performance.now();
    try {
      const result = await call();
      this.record({ method, tool, durationMs: performance.now() - began });
      return result;
    } catch (error) {
      this.record({ method, tool, durationMs: performance.now() - began, error: codeOf(error) });
      throw error;
    }
  }

  /** One entry for each method and tool, in alphabetical order. */
  summary(): readonly MonitorSeries[] {
    return [...this.#series.values()]
      .map(({ method, tool, calls }) => ({
        method,
        ...(tool === undefined ? {} : { tool }),
        ...callFigures(this.#recent(calls)),
      }))
      .filter(({ count }) => count > 0)
      .toSorted((one, two) => `${one.method} ${one.tool ?? ''}`.localeCompare(`${two.method} ${two.tool ?? ''}`));
  }

  #recent(calls: Series['calls']): Series['calls'] {
    const since = this.#options.now() - this.#options.windowMs;
    return calls.slice(-this.#options.maxCalls).filter(({ at }) => at >= since);
  }

  #seriesOf(method: string, tool: string | undefined): Series {
    const key = `${method} ${tool ?? ''}`;
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const isFull = this.#series.size >= this.#options.maxSeries && method !== 'other';
    if (isFull) return this.#seriesOf('other', undefined);
    const series: Series = { method, tool, calls: [] };
    this.#series.set(key, series);
    return series;
  }
}
