import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { CallFigures, CallSummary } from '@plugboard/contract';
import { type CallRecord, isLongLived } from './call-record.js';

export interface CallStatsOptions {
  readonly slowAfterMs: number;
  /** How many tools have figures of their own. */
  readonly maxTools?: number | undefined;
  /** When counting began. */
  readonly since: string;
}

const MAX_TOOLS = 2000;
const MICROSECONDS = 1000;
const LONGEST_US = 3_600_000_000;

/** Two digits are enough for a percentile, and keep a histogram small. */
const newHistogram = (): RecordableHistogram => createHistogram({ lowest: 1, highest: LONGEST_US, figures: 2 });

class Figures {
  readonly #histogram = newHistogram();
  #failed = 0;
  #toolErrors = 0;
  #slow = 0;

  add({ outcome, durationMs }: CallRecord, slowAfterMs: number): void {
    this.#histogram.record(Math.min(LONGEST_US, Math.max(1, Math.round(durationMs * MICROSECONDS))));
    if (outcome === 'tool_error') this.#toolErrors += 1;
    else if (outcome !== 'ok') this.#failed += 1;
    if (durationMs > slowAfterMs) this.#slow += 1;
  }

  read(): CallFigures {
    const { count, max } = this.#histogram;
    const at = (percentile: number): number => this.#histogram.percentile(percentile) / MICROSECONDS;
    const good = count - this.#failed - this.#toolErrors;
    return {
      count,
      failed: this.#failed,
      tool_errors: this.#toolErrors,
      slow: this.#slow,
      success_rate: count === 0 ? 1 : good / count,
      p50_ms: at(50),
      p95_ms: at(95),
      p99_ms: at(99),
      max_ms: max / MICROSECONDS,
    };
  }
}

/** Counts and times of requests by method and by tool, in memory, since the process started. */
export class CallStats {
  readonly #options: CallStatsOptions;
  readonly #methods = new Map<string, Figures>();
  /** By server, then by tool. */
  readonly #tools = new Map<string, Map<string, Figures>>();
  #known = 0;
  #leftOut = 0;

  constructor(options: CallStatsOptions) {
    this.#options = options;
  }

  readonly add = (record: CallRecord): void => {
    if (isLongLived(record.method)) return;
    this.#method(record.method).add(record, this.#options.slowAfterMs);
    this.#tool(record)?.add(record, this.#options.slowAfterMs);
  };

  summary(): CallSummary {
    return {
      since: this.#options.since,
      slow_after_ms: this.#options.slowAfterMs,
      methods: [...this.#methods]
        .map(([method, figures]) => ({ method, ...figures.read() }))
        .sort((a, b) => (a.method < b.method ? -1 : 1)),
      tools: [...this.#tools]
        .flatMap(([server, tools]) => [...tools].map(([tool, figures]) => ({ server, tool, ...figures.read() })))
        .sort((a, b) => (a.server === b.server ? (a.tool < b.tool ? -1 : 1) : a.server < b.server ? -1 : 1)),
      tools_left_out: this.#leftOut,
    };
  }

  #method(method: string): Figures {
    const known = this.#methods.get(method);
    if (known !== undefined) return known;
    const made = new Figures();
    this.#methods.set(method, made);
    return made;
  }

  #tool({ server, tool }: CallRecord): Figures | undefined {
    if (server === undefined || tool === undefined) return undefined;
    const ofServer = this.#tools.get(server) ?? new Map<string, Figures>();
    const known = ofServer.get(tool);
    if (known !== undefined) return known;
    if (this.#known >= (this.#options.maxTools ?? MAX_TOOLS)) {
      this.#leftOut += 1;
      return undefined;
    }
    this.#known += 1;
    const made = new Figures();
    this.#tools.set(server, ofServer.set(tool, made));
    return made;
  }
}
