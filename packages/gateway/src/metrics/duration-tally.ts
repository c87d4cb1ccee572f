const NAME = 'plugboard_request_duration_seconds';
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const MS_PER_SECOND = 1000;
const LIMITS_MS = SECONDS.map((seconds) => seconds * MS_PER_SECOND);

/** How long requests of one method took. */
class Tally {
  /** How many took no longer than each limit and longer than the one before; the last are longer than all. */
  readonly #counts = Array.from({ length: LIMITS_MS.length + 1 }, () => 0);
  #sumMs = 0;

  add(ms: number): void {
    let at = 0;
    while (ms > (LIMITS_MS[at] ?? Infinity)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sumMs += ms;
  }

  lines(method: string): readonly string[] {
    let count = 0;
    const buckets = [...SECONDS, '+Inf'].map((limit, at) => {
      count += this.#counts[at] ?? 0;
      return `${NAME}_bucket{le="${limit}",method="${method}"} ${count}`;
    });
    return [
      ...buckets,
      `${NAME}_sum{method="${method}"} ${this.#sumMs / MS_PER_SECOND}`,
      `${NAME}_count{method="${method}"} ${count}`,
    ];
  }
}

/**
 * A histogram for Prometheus by method. The one of prom-client looks up its labels for every value, which for relayed
 * calls took longer than everything else that is counted of them.
 */
export class DurationTally {
  readonly #methods = new Map<string, Tally>();

  /** `method` is one of a fixed set: it becomes a label as it is. */
  add(method: string, ms: number): void {
    let tally = this.#methods.get(method);
    if (tally === undefined) {
      tally = new Tally();
      this.#methods.set(method, tally);
    }
    tally.add(ms);
  }

  text(): string {
    const lines = [...this.#methods].flatMap(([method, tally]) => tally.lines(method));
    const head = [`# HELP ${NAME} How long MCP requests took, as clients see it.`, `# TYPE ${NAME} histogram`];
    return `${[...head, ...lines].join('\n')}\n`;
  }
}
