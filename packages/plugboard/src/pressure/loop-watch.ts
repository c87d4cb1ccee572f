import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { PerformanceObserver } from 'node:perf_hooks';
import { cpuUsage } from 'node:process';
import { WORK_CHANNEL, type WorkNote } from '@plugboard/contract';
import type { Logger } from '../log/logger.js';

export interface LoopWatchOptions {
  readonly log: Pick<Logger, 'warn'>;
  readonly blockedMs?: number | undefined;
}

export interface LoopFigures {
  /** How often the event loop was blocked for too long. */
  readonly count: number;
  readonly totalMs: number;
}

const TICK_MS = 50;
/** While no request comes, nobody waits for the event loop: it is looked at less often. */
const QUIET_TICK_MS = 250;
/** So many looks without a request make it quiet. */
const QUIET_LOOKS = 20;
const DEFAULT_BLOCKED_MS = 200;
const MICROSECONDS = 1000;
/** Node tells of every request that begins. */
const REQUEST_CHANNEL = 'http.server.request.start';
/** A process that used less of the time did not run. */
const RUNNING_SHARE = 0.5;

const cpuMs = (): number => {
  const { user, system } = cpuUsage();
  return (user + system) / MICROSECONDS;
};

/**
 * Notices when nothing else could happen for a while, and names the cause: the longest piece of work that was noted, a
 * garbage collection, or else the request that came last.
 */
export class LoopWatch {
  readonly #options: LoopWatchOptions;
  #timer: NodeJS.Timeout;
  #tickMs = TICK_MS;
  #quietLooks = 0;
  readonly #collections: PerformanceObserver;
  #expectedAt: number;
  #cpu = cpuMs();
  #longest: WorkNote | undefined;
  #lastRequest: IncomingMessage | undefined;
  #count = 0;
  #totalMs = 0;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
    this.#expectedAt = performance.now() + TICK_MS;
    subscribe(WORK_CHANNEL, this.#onWork);
    subscribe(REQUEST_CHANNEL, this.#onRequest);
    this.#collections = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) this.#note({ what: 'garbage collection', ms: duration });
    });
    this.#collections.observe({ entryTypes: ['gc'] });
    this.#timer = this.#every(TICK_MS);
  }

  get figures(): LoopFigures {
    return { count: this.#count, totalMs: this.#totalMs };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#collections.disconnect();
    unsubscribe(WORK_CHANNEL, this.#onWork);
    unsubscribe(REQUEST_CHANNEL, this.#onRequest);
  }

  readonly #onWork = (note: unknown): void => this.#note(note as WorkNote);

  readonly #onRequest = (message: unknown): void => {
    this.#lastRequest = (message as { readonly request: IncomingMessage }).request;
    if (this.#tickMs !== TICK_MS) this.#setTick(TICK_MS);
  };

  #every(ms: number): NodeJS.Timeout {
    return setInterval(() => this.#tick(), ms).unref();
  }

  #setTick(ms: number): void {
    clearInterval(this.#timer);
    this.#tickMs = ms;
    this.#quietLooks = 0;
    this.#expectedAt = performance.now() + ms;
    this.#timer = this.#every(ms);
  }

  #note(note: WorkNote): void {
    if (note.ms > (this.#longest?.ms ?? 0)) this.#longest = note;
  }

  #tick(): void {
    const now = performance.now();
    const cpu = cpuMs();
    const lateMs = now - this.#expectedAt;
    if (lateMs > (this.#options.blockedMs ?? DEFAULT_BLOCKED_MS)) this.#tell(lateMs, cpu - this.#cpu);
    this.#expectedAt = now + this.#tickMs;
    this.#cpu = cpu;
    this.#longest = undefined;
    this.#quietLooks = this.#lastRequest === undefined ? this.#quietLooks + 1 : 0;
    if (this.#quietLooks === QUIET_LOOKS) this.#setTick(QUIET_TICK_MS);
    this.#lastRequest = undefined;
  }

  #tell(lateMs: number, usedMs: number): void {
    this.#count += 1;
    this.#totalMs += lateMs;
    const by = usedMs < lateMs * RUNNING_SHARE ? 'the machine: the process did not run' : this.#cause(lateMs);
    this.#options.log.warn('The event loop was blocked.', { ms: Math.round(lateMs), by });
  }

  #cause(lateMs: number): string {
    if (this.#longest !== undefined && this.#longest.ms >= lateMs * RUNNING_SHARE) return this.#longest.what;
    const { method = '', url = '' } = this.#lastRequest ?? {};
    const request = url === '' ? 'no request' : `${method} ${url.replace(/\?.*/su, '').slice(0, 200)}`;
    return `work that is not named; the last request was ${request}`;
  }
}
