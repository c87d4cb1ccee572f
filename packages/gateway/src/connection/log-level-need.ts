import { severityOf } from '../rpc/log-level.js';
import type { UpstreamClient } from './upstream-client.js';

/** Keeps the level of a legacy connection as talkative as its most curious user needs it. */
export class LogLevelNeed {
  readonly #client: UpstreamClient;
  #level: string | undefined;

  constructor(client: UpstreamClient) {
    this.#client = client;
  }

  /** For a connection that several use: only ever more. */
  async atLeast(level: string, signal: AbortSignal): Promise<void> {
    if (this.#level !== undefined && severityOf(this.#level) <= severityOf(level)) return;
    await this.set(level, signal);
  }

  /** For a connection of one client: exactly this. */
  async set(level: string, signal: AbortSignal): Promise<void> {
    this.#level = level;
    if (this.#client.capabilities?.['logging'] === undefined) return;
    await this.#client.request('logging/setLevel', { level }, { signal });
  }

  async restore(): Promise<void> {
    if (this.#level === undefined || this.#client.protocol?.era !== 'legacy') return;
    await this.set(this.#level, AbortSignal.timeout(10_000)).catch(() => undefined);
  }
}
