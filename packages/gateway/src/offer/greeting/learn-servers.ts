import { anySignal } from '@plugboard/base';
import { setTimeout } from 'node:timers/promises';
import type { Server } from '@plugboard/contract';
import type { ClientSession } from '../../call/mcp-call.js';
import type { Scope } from '../../call/scope.js';
import { leaseLink } from '../../connection/lease-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';

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
    if (unknown.length > 0) await this.#within(waitMs, Promise.all(unknown.map((server) => this.#connect(server))));
  }

  /** Finds out whether a modern server has a legacy side, by opening the connection that this session needs anyway. */
  async learnLegacy(scope: Scope, session: ClientSession, waitMs: number): Promise<void> {
    const user = { client: session.client, session };
    const unsettled = scope
      .servers()
      .filter(({ id }) => this.#upstream.facts(id) !== undefined && this.#upstream.meet(id, user) === undefined);
    const open = async (server: Server): Promise<void> => {
      const ended = new AbortController();
      session.onEnd(() => ended.abort());
      const signal = anySignal(ended.signal, AbortSignal.timeout(CONNECT_MS));
      // The first call tells why it cannot be reached.
      await leaseLink(this.#upstream, server, user, signal).then(
        ({ letGo }) => letGo(),
        () => undefined,
      );
    };
    if (unsettled.length > 0) await this.#within(waitMs, Promise.all(unsettled.map(open)));
  }

  async #within(waitMs: number, work: Promise<unknown>): Promise<void> {
    const patience = new AbortController();
    try {
      await Promise.race([work, setTimeout(waitMs, undefined, { signal: patience.signal })]);
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
