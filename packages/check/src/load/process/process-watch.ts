import type { ProcessFigures } from '@plugboard/contract';
import { processUsage, type ProcessUsage } from '@plugboard/testing/measure';

const EVERY_MS = 500;

type Sample = ProcessFigures['samples'][number];

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

const most = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0);

/** Percent, from the mean of the first quarter to the mean of the last. */
const growth = (values: readonly number[]): number => {
  const quarter = Math.max(1, Math.floor(values.length / 4));
  const first = mean(values.slice(0, quarter));
  return first === 0 ? 0 : ((mean(values.slice(-quarter)) - first) / first) * 100;
};

/** Milliseconds since the watch began. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** A heap that warms up grows, too: growth means something only over a while. */
const GROWTH_MS = 30_000;

/** What the samples come to; those of the steady part count, if there was one. */
export const figuresOf = (samples: readonly Sample[], steady: Span | undefined): ProcessFigures => {
  const settled = samples.filter(({ at }) => steady !== undefined && at >= steady.from && at <= steady.to);
  const counted = settled.length >= 4 ? settled : samples;
  const span = (settled.at(-1)?.at ?? 0) - (settled[0]?.at ?? 0);
  const rss = counted.map(({ rssBytes }) => rssBytes);
  return {
    samples: [...samples],
    cpuMean: mean(counted.map(({ cpu }) => cpu)),
    cpuMax: most(counted.map(({ cpu }) => cpu)),
    rssFirst: rss[0] ?? 0,
    rssLast: rss.at(-1) ?? 0,
    rssMax: most(rss),
    ...(span < GROWTH_MS * 0.9 ? {} : { memoryGrowth: growth(rss) }),
    handlesMax: most(samples.map(({ handles }) => handles)),
    childrenMax: most(samples.map(({ children }) => children)),
  };
};

/** Looks at a process and its children twice a second. */
export class ProcessWatch {
  readonly #startedAt = performance.now();
  readonly #samples: Sample[] = [];
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #last: { readonly at: number; readonly usage: ProcessUsage } | undefined;
  #steady: Span | undefined;
  #looking = false;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => void this.#look(), EVERY_MS);
    this.#timer.unref();
    void this.#look();
  }

  /** The steady part begins: the warm-up is over. */
  settle(): void {
    this.#steady = { from: performance.now() - this.#startedAt, to: Number.POSITIVE_INFINITY };
  }

  /** The steady part ends: what comes now may break the server. */
  unsettle(): void {
    this.#steady = { from: this.#steady?.from ?? 0, to: performance.now() - this.#startedAt };
  }

  /** Undefined where processes cannot be looked at. */
  stop(): ProcessFigures | undefined {
    clearInterval(this.#timer);
    return this.#samples.length === 0 ? undefined : figuresOf(this.#samples, this.#steady);
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const usage = await processUsage(this.#pid);
    this.#looking = false;
    if (usage === undefined || usage.rssBytes === 0) return;
    const at = performance.now();
    const last = this.#last;
    this.#last = { at, usage };
    if (last === undefined) return;
    const { cpuMs, ...rest } = usage;
    const cpu = Math.max(0, ((cpuMs - last.usage.cpuMs) / (at - last.at)) * 100);
    this.#samples.push({ at: at - this.#startedAt, cpu, ...rest });
  }
}
