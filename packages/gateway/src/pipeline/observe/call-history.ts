import type { CallHistory as History, CallPeriod } from '@plugboard/contract';
import type { CallRecord } from './call-record.js';
import { DurationCounts } from './duration-counts.js';

export interface CallHistoryOptions {
  readonly now?: (() => number) | undefined;
  /** How many servers have a history of their own. */
  readonly maxServers?: number | undefined;
}

const PERIOD_MS = 60_000;
const PERIODS = 60;
const MAX_SERVERS = 1000;
const WANTED = [50, 95, 99];

class Period {
  readonly durations = new DurationCounts();
  readonly outcomes = new Map<string, number>();

  add({ outcome, durationMs }: CallRecord): void {
    this.durations.add(durationMs);
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
  }

  read(startedAt: number): CallPeriod {
    const { count, max } = this.durations;
    const [p50 = 0, p95 = 0, p99 = 0] = this.durations.percentiles(WANTED);
    const toolErrors = this.outcomes.get('tool_error') ?? 0;
    const failed = count - toolErrors - (this.outcomes.get('ok') ?? 0);
    const at = new Date(startedAt).toISOString();
    return { at, count, failed, tool_errors: toolErrors, p50_ms: p50, p95_ms: p95, p99_ms: p99, max_ms: max };
  }
}

/** The periods of the last hour that had a call, by their beginning. */
class Hour {
  readonly #periods = new Map<number, Period>();

  add(record: CallRecord, startedAt: number): void {
    const known = this.#periods.get(startedAt);
    if (known !== undefined) {
      known.add(record);
      return;
    }
    const made = new Period();
    made.add(record);
    this.#periods.set(startedAt, made);
  }

  /** Forgets what is older; false when nothing is left. */
  forgetBefore(time: number): boolean {
    for (const startedAt of this.#periods.keys()) if (startedAt < time) this.#periods.delete(startedAt);
    return this.#periods.size > 0;
  }

  entries(): IterableIterator<[number, Period]> {
    return this.#periods.entries();
  }

  read(): CallPeriod[] {
    return [...this.#periods].sort(([left], [right]) => left - right).map(([startedAt, one]) => one.read(startedAt));
  }
}

/** How calls of tools went in the last hour, minute by minute, in memory. */
export class CallHistory {
  readonly #now: () => number;
  readonly #maxServers: number;
  readonly #all = new Hour();
  readonly #servers = new Map<string, Hour>();
  #sweptAt = 0;
  #leftOut = 0;

  constructor({ now = Date.now, maxServers = MAX_SERVERS }: CallHistoryOptions = {}) {
    this.#now = now;
    this.#maxServers = maxServers;
  }

  readonly add = (record: CallRecord): void => {
    if (record.method !== 'tools/call') return;
    const startedAt = this.#sweep();
    this.#all.add(record, startedAt);
    if (record.server !== undefined) this.#hourOf(record.server)?.add(record, startedAt);
  };

  read(): History {
    this.#sweep();
    const outcomes: Record<string, number> = {};
    for (const [, period] of this.#all.entries()) {
      for (const [outcome, count] of period.outcomes) outcomes[outcome] = (outcomes[outcome] ?? 0) + count;
    }
    return {
      period_seconds: PERIOD_MS / 1000,
      periods: this.#all.read(),
      outcomes,
      servers: [...this.#servers]
        .map(([server, hour]) => ({ server, periods: hour.read() }))
        .sort((left, right) => (left.server < right.server ? -1 : 1)),
      servers_left_out: this.#leftOut,
    };
  }

  #hourOf(server: string): Hour | undefined {
    const known = this.#servers.get(server);
    if (known !== undefined) return known;
    if (this.#servers.size >= this.#maxServers) {
      this.#leftOut += 1;
      return undefined;
    }
    const made = new Hour();
    this.#servers.set(server, made);
    return made;
  }

  /** The beginning of the present period. Once in each, what is older than an hour is forgotten. */
  #sweep(): number {
    const startedAt = Math.floor(this.#now() / PERIOD_MS) * PERIOD_MS;
    if (startedAt === this.#sweptAt) return startedAt;
    this.#sweptAt = startedAt;
    const oldest = startedAt - (PERIODS - 1) * PERIOD_MS;
    this.#all.forgetBefore(oldest);
    for (const [server, hour] of this.#servers) if (!hour.forgetBefore(oldest)) this.#servers.delete(server);
    return startedAt;
  }
}
