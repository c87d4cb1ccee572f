import type { LoadPhase, LoadSlice } from '@plugboard/contract';
import { LatencyHistogram } from '../statistics/latency-histogram.js';

export interface PhaseShape {
  readonly name: string;
  readonly loop: 'closed' | 'open';
  readonly concurrency: number;
  readonly rate?: number | undefined;
  /** How long a slice of the time line is. */
  readonly sliceMs: number;
}

export interface Recorded {
  /** From when the call was due. */
  readonly dueAt: number;
  readonly sentAt: number;
  readonly doneAt: number;
  /** When the first message of the answer came; undefined without an answer. */
  readonly firstAt?: number | undefined;
  /** The class of the error; undefined for a success. */
  readonly error?: string | undefined;
}

interface Slice {
  readonly latency: LatencyHistogram;
  failed: number;
}

/** A tally on its way from one process to another; histograms are texts. */
export interface TallyState {
  readonly calls: number;
  readonly failed: number;
  readonly due: string;
  readonly sent: string;
  readonly first: string;
  readonly errors: Readonly<Record<string, number>>;
  readonly slices: readonly { readonly latency: string; readonly failed: number }[];
}

/** Everything that is counted in one phase. */
export class Tally {
  readonly shape: PhaseShape;
  readonly #startedAt: number;
  readonly #due = new LatencyHistogram();
  readonly #sent = new LatencyHistogram();
  readonly #first = new LatencyHistogram();
  readonly #errors = new Map<string, number>();
  readonly #slices: Slice[] = [];
  #failed = 0;
  #calls = 0;

  constructor(shape: PhaseShape, startedAt: number) {
    this.shape = shape;
    this.#startedAt = startedAt;
  }

  get calls(): number {
    return this.#calls;
  }

  get failed(): number {
    return this.#failed;
  }

  get errors(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#errors);
  }

  percentile(percent: number): number {
    return this.#sent.percentile(percent);
  }

  /** The slice that is being filled, and the one before it. */
  recent(): LoadSlice | undefined {
    return this.#slice(this.#slices.length - 2) ?? this.#slice(this.#slices.length - 1);
  }

  record({ dueAt, sentAt, doneAt, firstAt, error }: Recorded): void {
    this.#calls += 1;
    const slice = this.#sliceAt(doneAt);
    // In a closed loop a call is due when it is sent.
    if (this.shape.loop === 'open') this.#due.record(doneAt - dueAt);
    this.#sent.record(doneAt - sentAt);
    slice.latency.record(doneAt - dueAt);
    if (firstAt !== undefined) this.#first.record(firstAt - sentAt);
    if (error === undefined) return;
    this.#failed += 1;
    slice.failed += 1;
    this.#errors.set(error, (this.#errors.get(error) ?? 0) + 1);
  }

  state(): TallyState {
    return {
      calls: this.#calls,
      failed: this.#failed,
      due: this.#due.encode(),
      sent: this.#sent.encode(),
      first: this.#first.encode(),
      errors: this.errors,
      slices: this.#slices.map(({ latency, failed }) => ({ latency: latency.encode(), failed })),
    };
  }

  /** Adds what another process counted in the same phase. */
  add({ calls, failed, due, sent, first, errors, slices }: TallyState): void {
    this.#calls += calls;
    this.#failed += failed;
    this.#due.addEncoded(due);
    this.#sent.addEncoded(sent);
    this.#first.addEncoded(first);
    for (const [error, count] of Object.entries(errors)) {
      this.#errors.set(error, (this.#errors.get(error) ?? 0) + count);
    }
    for (const [index, slice] of slices.entries()) {
      const own = this.#sliceAt(this.#startedAt + index * this.shape.sliceMs);
      own.latency.addEncoded(slice.latency);
      own.failed += slice.failed;
    }
  }

  phase(endedAt: number): LoadPhase {
    const { name, loop, concurrency, rate } = this.shape;
    const seconds = Math.max(0.001, (endedAt - this.#startedAt) / 1_000);
    // In a closed loop each caller would have called again after the usual time.
    const latency = loop === 'open' ? this.#due : this.#sent.corrected(this.#sent.percentile(50));
    return {
      name,
      loop,
      concurrency,
      ...(rate === undefined ? {} : { rate }),
      seconds,
      calls: this.#calls,
      failed: this.#failed,
      callsPerSecond: (this.#calls - this.#failed) / seconds,
      latency: latency.summary(),
      uncorrected: this.#sent.summary(),
      ...(this.#first.count === 0 ? {} : { firstEvent: this.#first.summary() }),
      errors: this.errors,
      slices: this.#slices.flatMap((_, index) => this.#slice(index) ?? []),
    };
  }

  #sliceAt(at: number): Slice {
    const index = Math.max(0, Math.floor((at - this.#startedAt) / this.shape.sliceMs));
    while (this.#slices.length <= index) this.#slices.push({ latency: new LatencyHistogram(), failed: 0 });
    return this.#slices[index] ?? { latency: new LatencyHistogram(), failed: 0 };
  }

  #slice(index: number): LoadSlice | undefined {
    const slice = this.#slices[index];
    if (slice === undefined) return undefined;
    const { latency, failed } = slice;
    return {
      at: index * this.shape.sliceMs,
      calls: latency.count,
      failed,
      p50: latency.percentile(50),
      p95: latency.percentile(95),
      p99: latency.percentile(99),
    };
  }
}
