/** Each step is a tenth longer than the one before: a percentile is exact to about five per cent. */
const STEP = Math.log(1.1);
const MICROSECONDS = 1000;

const stepOf = (ms: number): number => Math.max(0, Math.round(Math.log(Math.max(1, ms * MICROSECONDS)) / STEP));
const msOf = (step: number): number => Math.exp(step * STEP) / MICROSECONDS;

/** Counts durations in few numbers, however many there are. */
export class DurationCounts {
  readonly #steps = new Map<number, number>();
  #count = 0;
  #max = 0;

  get count(): number {
    return this.#count;
  }

  get max(): number {
    return this.#max;
  }

  add(ms: number): void {
    const step = stepOf(ms);
    this.#steps.set(step, (this.#steps.get(step) ?? 0) + 1);
    this.#count += 1;
    this.#max = Math.max(this.#max, ms);
  }

  /** These percentiles, given in rising order. */
  percentiles(wanted: readonly number[]): readonly number[] {
    const steps = [...this.#steps].sort(([left], [right]) => left - right);
    let seen = 0;
    let at = 0;
    return wanted.map((percentile) => {
      const rank = Math.ceil((percentile / 100) * this.#count);
      while (at < steps.length && seen + (steps[at]?.[1] ?? 0) < rank) {
        seen += steps[at]?.[1] ?? 0;
        at += 1;
      }
      const step = steps[Math.min(at, steps.length - 1)]?.[0];
      return step === undefined ? 0 : Math.min(this.#max, msOf(step));
    });
  }
}
