import { setTimeout } from 'node:timers/promises';
import type { UpstreamClient } from './upstream-client.js';

interface Watched {
  /** The number of subscribers. */
  count: number;
  /** Ends the modern subscription. */
  readonly stop: AbortController;
}

const ASK_MS = 10_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

/**
 * Resource subscriptions of one connection, counted, so that the server hears of the first and the last only.
 * Legacy servers are told by subscribe and unsubscribe; modern ones by a listen stream per resource.
 */
export class ResourceWatch {
  readonly #client: UpstreamClient;
  readonly #watched = new Map<string, Watched>();

  constructor(client: UpstreamClient) {
    this.#client = client;
  }

  get size(): number {
    return this.#watched.size;
  }

  /** Rejects with the server's refusal; then nothing is kept. */
  async add(uri: string, signal: AbortSignal): Promise<void> {
    const known = this.#watched.get(uri);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    const watched: Watched = { count: 1, stop: new AbortController() };
    this.#watched.set(uri, watched);
    try {
      await this.#begin(uri, watched, signal);
    } catch (thrown) {
      watched.stop.abort();
      this.#watched.delete(uri);
      throw thrown;
    }
  }

  async remove(uri: string): Promise<void> {
    const watched = this.#watched.get(uri);
    if (watched === undefined) return;
    watched.count -= 1;
    if (watched.count > 0) return;
    this.#watched.delete(uri);
    watched.stop.abort();
    if (this.#client.protocol?.era !== 'legacy') return;
    const signal = AbortSignal.timeout(ASK_MS);
    // A server that ended has forgotten the subscription anyway.
    await this.#client.request('resources/unsubscribe', { uri }, { signal }).catch(() => undefined);
  }

  /** Subscribes again at a server that was restarted. */
  async restore(): Promise<void> {
    if (this.#client.protocol?.era !== 'legacy') return;
    await Promise.allSettled(
      [...this.#watched.keys()].map((uri) =>
        this.#client.request('resources/subscribe', { uri }, { signal: AbortSignal.timeout(ASK_MS) }),
      ),
    );
  }

  close(): void {
    for (const { stop } of this.#watched.values()) stop.abort();
    this.#watched.clear();
  }

  async #begin(uri: string, watched: Watched, signal: AbortSignal): Promise<void> {
    if (!this.#client.isInitialized) await this.#client.connect({ signal });
    if (this.#client.protocol?.era === 'legacy') {
      await this.#client.request('resources/subscribe', { uri }, { signal });
      return;
    }
    const first = await this.#client.listen({ resourceSubscriptions: [uri] }, { signal: watched.stop.signal });
    void this.#keepListening(uri, watched, first.closed);
  }

  async #keepListening(uri: string, { stop }: Watched, first: Promise<unknown>): Promise<void> {
    let closed = first;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      await closed;
      if (stop.signal.aborted) return;
      await setTimeout(pause, undefined, { ref: false, signal: stop.signal }).catch(() => undefined);
      try {
        const again = await this.#client.listen({ resourceSubscriptions: [uri] }, { signal: stop.signal });
        pause = FIRST_PAUSE_MS;
        closed = again.closed;
      } catch {
        closed = Promise.resolve();
      }
    }
  }
}
