import { anySignal } from '../connection/any-signal.js';
import { pause } from '../connection/deadline.js';
import { HttpLine } from '../load/line/http-line.js';
import type { LoadLine } from '../load/line/load-line.js';
import type { SoakPlan } from '@plugboard/contract';

export interface Churned {
  readonly deleted: number;
  readonly abandoned: number;
  readonly refused: number;
  /** Ended with DELETE, and still answering. */
  readonly alive: number;
}

export interface ChurnOptions {
  readonly plan: Pick<SoakPlan, 'churn' | 'churnMode'>;
  readonly open: () => Promise<LoadLine>;
  /** A request that every session answers. */
  readonly ping: (line: LoadLine) => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Opens and ends sessions at a fixed rate, as clients do that come and go. */
export class SessionChurn {
  readonly #options: ChurnOptions;
  #counts = { deleted: 0, abandoned: 0, refused: 0, alive: 0 };
  #turn = 0;
  #running: Promise<void> | undefined;
  readonly #stop = new AbortController();

  constructor(options: ChurnOptions) {
    this.#options = options;
  }

  get churned(): Churned {
    return this.#counts;
  }

  start(): void {
    if (this.#options.plan.churn > 0) this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const signal = anySignal(this.#stop.signal, this.#options.signal);
    const everyMs = 1_000 / this.#options.plan.churn;
    while (!signal.aborted) {
      const startedAt = performance.now();
      await this.#once().catch(() => {
        this.#counts.refused += 1;
      });
      await pause(Math.max(1, everyMs - (performance.now() - startedAt)), signal);
    }
  }

  async #once(): Promise<void> {
    const { open, ping, plan } = this.#options;
    const line = await open();
    this.#turn += 1;
    const deletes = plan.churnMode === 'delete' || (plan.churnMode === 'both' && this.#turn % 2 === 0);
    if (!(line instanceof HttpLine) || !line.hasSession) {
      await line.close();
      return;
    }
    await ping(line);
    if (!deletes) {
      line.drop();
      this.#counts.abandoned += 1;
      return;
    }
    const status = await line.delete();
    // A server may refuse to end sessions (405): then they are as good as abandoned.
    if (status >= 200 && status < 300) {
      this.#counts.deleted += 1;
      if (await ping(line)) this.#counts.alive += 1;
    } else {
      this.#counts.abandoned += 1;
    }
    line.drop();
  }
}
