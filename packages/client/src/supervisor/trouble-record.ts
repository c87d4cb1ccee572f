import type { McpClientError } from '../error/client-error.js';
import { processEndedError } from '../error/process-error.js';
import { sleep, type Clock, type Random } from '../deadline/clock.js';
import { crashLoopError } from './crash-loop-error.js';
import type { ExitReport } from '../error/exit-report.js';
import { createRestartBudget, type RestartBudget, type RestartPolicy } from './restart-budget.js';

/** What earlier failures mean for the next start. */
export type Trouble =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'loop'; readonly until: number; readonly failures: number; readonly last: McpClientError }
  | { readonly kind: 'down'; readonly last: McpClientError };

export interface TroubleRecordOptions {
  readonly name: string;
  readonly policy: RestartPolicy;
  readonly clock: Clock;
  readonly random: Random;
}

/** The failures of children that share a restart budget. */
export class TroubleRecord {
  readonly #options: TroubleRecordOptions;
  readonly #budget: RestartBudget;
  #trouble: Trouble = { kind: 'none' };

  constructor(options: TroubleRecordOptions) {
    this.#options = options;
    this.#budget = createRestartBudget(options);
  }

  get trouble(): Trouble {
    return this.#trouble;
  }

  note(report: ExitReport): void {
    const { name, policy, clock } = this.#options;
    const last = processEndedError(name, report, 'not-executed');
    if (policy.mode === 'never') {
      this.#trouble = { kind: 'down', last };
      return;
    }
    const verdict = this.#budget.spend();
    this.#trouble =
      verdict.kind === 'restart'
        ? { kind: 'wait', until: clock.now() + verdict.delayMs }
        : { kind: 'loop', until: clock.now() + verdict.retryAfterMs, failures: verdict.failures, last };
  }

  clear(): void {
    this.#budget.reset();
    this.#trouble = { kind: 'none' };
  }

  /** Lets a start pass when its turn has come; rejects in a crash loop. */
  async pass(signal: AbortSignal): Promise<void> {
    this.passLoop();
    const wait = this.#trouble.kind === 'wait' ? this.#trouble.until - this.#options.clock.now() : 0;
    if (wait > 0) await sleep(this.#options.clock, wait, signal);
  }

  /** Rejects in a crash loop, and where nothing is started again; makes nobody wait. */
  passLoop(): void {
    if (this.#trouble.kind === 'down') throw this.#trouble.last;
    if (this.#trouble.kind !== 'loop') return;
    const wait = this.#trouble.until - this.#options.clock.now();
    if (wait > 0) throw crashLoopError(this.#options.name, this.#trouble.last, wait);
  }
}
