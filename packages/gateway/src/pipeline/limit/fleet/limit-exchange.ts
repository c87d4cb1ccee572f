import type { LimitAsk, LimitGrant } from '@plugboard/contract';
import type { SharedQuota } from './shared-quota.js';

export interface LimitExchangeOptions {
  readonly lend: (asks: readonly LimitAsk[]) => Promise<readonly LimitGrant[]>;
  readonly quotas: () => Iterable<SharedQuota>;
  /** How long the store may take before this process does without it. */
  readonly waitMs?: number | undefined;
}

const EVERY_MS = 500;
const HURRY_MS = 25;
const WAIT_MS = 1000;
const MAX_ASKS = 1000;

/** Asks the store for what quotas will need, and returns what they do not. Never on the path of a call. */
export class LimitExchange {
  readonly #options: LimitExchangeOptions;
  readonly #timer: NodeJS.Timeout;
  #soon: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #isCutOff = false;

  constructor(options: LimitExchangeOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.turn(), EVERY_MS);
    this.#timer.unref();
  }

  /** Did the store not answer when it was last asked? */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** A call was refused: asks sooner. */
  hurry(): void {
    if (this.#isCutOff) return;
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.turn();
    }, HURRY_MS).unref();
  }

  /** Asks once for all quotas that need it; those that have waited for longest come first. */
  turn(): Promise<void> {
    this.#turn ??= this.#ask().finally(() => (this.#turn = undefined));
    return this.#turn;
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
  }

  async #ask(): Promise<void> {
    const used = [...this.#options.quotas()].filter(({ isFresh }) => !isFresh);
    const longest = used.toSorted((a, b) => a.askedAt - b.askedAt);
    const asked: { readonly quota: SharedQuota; readonly ask: LimitAsk }[] = [];
    for (const quota of longest) {
      if (asked.length === MAX_ASKS) break;
      const ask = quota.ask();
      if (ask !== undefined) asked.push({ quota, ask });
    }
    if (asked.length === 0) return;
    let isLate = false;
    const giveUp = (): void => {
      if (isLate) return;
      isLate = true;
      this.#isCutOff = true;
      for (const { quota, ask } of asked) quota.failed(ask);
    };
    const late = setTimeout(giveUp, this.#options.waitMs ?? WAIT_MS).unref();
    try {
      const grants = await this.#options.lend(asked.map(({ ask }) => ask));
      // What comes too late is lost: the quotas have gone on without it.
      if (isLate) return;
      this.#isCutOff = false;
      const bySubject = new Map(grants.map((grant) => [grant.subject, grant]));
      for (const { quota, ask } of asked) {
        const grant = bySubject.get(ask.subject);
        if (grant !== undefined) quota.granted(grant);
      }
    } catch {
      giveUp();
    } finally {
      clearTimeout(late);
    }
  }
}
