import { setTimeout } from 'node:timers/promises';
import type { Server } from '@plugboard/contract';
import type { Scope } from '../scope/scope.js';
import type { UpstreamPool } from '../upstream/upstream-pool.js';

const CONNECT_MS = 30_000;

/** Gets to know servers that have not been spoken to yet. Nobody waits for a slow one longer than told. */
export class ServerLearning {
  readonly #upstream: UpstreamPool;
  readonly #running = new Map<string, Promise<void>>();

  constructor(upstream: UpstreamPool) {
    this.#upstream = upstream;
  }

  async learn(scope: Scope, waitMs: number): Promise<void> {
    const unknown = scope.servers().filter((server) => this.#upstream.facts(server.id) === undefined);
    if (unknown.length === 0) return;
    const patience = new AbortController();
    try {
      await Promise.race([
        Promise.all(unknown.map((server) => this.#connect(server))),
        setTimeout(waitMs, undefined, { signal: patience.signal }),
      ]);
    } finally {
      patience.abort();
    }
  }

  #connect(server: Server): Promise<void> {
    const running = this.#running.get(server.id);
    if (running !== undefined) return running;
    const connecting = this.#upstream
      .use(server, (client) => client.connect({ signal: AbortSignal.timeout(CONNECT_MS) }))
      // A server that cannot be reached stays unknown; its status says why.
      .catch(() => undefined)
      .finally(() => this.#running.delete(server.id));
    this.#running.set(server.id, connecting);
    return connecting;
  }
}
