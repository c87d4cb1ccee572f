import type { LatencySummary } from '@plugboard/contract';
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64, type Histogram } from 'hdr-histogram-js';

const MICROSECONDS = 1_000;
const HIGHEST = 3_600_000_000;
/** Half of the normal distribution's 95 % interval. */
const Z = 1.96;

const ms = (microseconds: number): number => Math.round(microseconds) / MICROSECONDS;

/** Durations in milliseconds, kept to a thousandth of their size. */
export class LatencyHistogram {
  readonly #histogram: Histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 32,
  });

  get count(): number {
    return this.#histogram.totalCount;
  }

  record(milliseconds: number): void {
    this.#histogram.recordValue(clamp(milliseconds));
  }

  /**
   * With what callers would have seen who did not call because an earlier call was still waiting: a call that took ten
   * intervals stands for nine others, too.
   */
  corrected(expectedInterval: number): LatencyHistogram {
    const copy = new LatencyHistogram();
    if (this.count > 0) {
      copy.#histogram.addWhileCorrectingForCoordinatedOmission(this.#histogram, clamp(expectedInterval));
    }
    return copy;
  }

  add(other: LatencyHistogram): void {
    this.#histogram.add(other.#histogram);
  }

  /** As a text that another process can add to its own. */
  encode(): string {
    return this.count === 0 ? '' : encodeIntoCompressedBase64(this.#histogram);
  }

  addEncoded(text: string): void {
    if (text !== '') this.#histogram.add(decodeFromCompressedBase64(text));
  }

  percentile(percent: number): number {
    const { totalCount, maxValue } = this.#histogram;
    // A percentile is the upper end of its bucket, which may lie above the longest duration.
    return totalCount === 0 ? 0 : ms(Math.min(this.#histogram.getValueAtPercentile(percent), maxValue));
  }

  summary(): LatencySummary {
    const histogram = this.#histogram;
    const count = this.count;
    if (count === 0) return EMPTY;
    const [mean, sd] = [histogram.mean, histogram.stdDeviation];
    const half = (Z * sd) / Math.sqrt(count);
    return {
      count,
      mean: ms(mean),
      sd: ms(sd),
      min: ms(histogram.minNonZeroValue),
      max: ms(histogram.maxValue),
      p50: this.percentile(50),
      p75: this.percentile(75),
      p90: this.percentile(90),
      p95: this.percentile(95),
      p99: this.percentile(99),
      p999: this.percentile(99.9),
      meanLow: ms(Math.max(0, mean - half)),
      meanHigh: ms(mean + half),
    };
  }
}

const clamp = (milliseconds: number): number => Math.min(HIGHEST, Math.max(1, Math.round(milliseconds * MICROSECONDS)));

const EMPTY: LatencySummary = {
  count: 0,
  mean: 0,
  sd: 0,
  min: 0,
  max: 0,
  p50: 0,
  p75: 0,
  p90: 0,
  p95: 0,
  p99: 0,
  p999: 0,
  meanLow: 0,
  meanHigh: 0,
};
