import type { ServerPolicies } from '@plugboard/client';
import { type CallLoad, sameConfig, type Server, type ServerId } from '@plugboard/contract';

interface Known {
  readonly policies: ServerPolicies;
  readonly config: Server['config'];
}

const IDLE: CallLoad = { circuit: 'closed', calls_running: 0, calls_queued: 0 };

/**
 * What stands between all callers and each server: one circuit and one queue, however many connections there are, and
 * also when none is. Another config counts as a repair.
 */
export class PoliciesByServer {
  readonly #make: () => ServerPolicies;
  readonly #byServer = new Map<ServerId, Known>();

  constructor(make: () => ServerPolicies) {
    this.#make = make;
  }

  of(server: Server): ServerPolicies {
    const { config } = server;
    const known = this.#byServer.get(server.id);
    if (known !== undefined && sameConfig(known.config, config)) return known.policies;
    const policies = this.#make();
    this.#byServer.set(server.id, { policies, config });
    return policies;
  }

  load(id: ServerId): CallLoad {
    const known = this.#byServer.get(id);
    if (known === undefined) return IDLE;
    const { breaker, bulkhead } = known.policies;
    const state = breaker.state();
    const { running, queued } = bulkhead.state();
    return {
      circuit: state.status,
      ...(state.status === 'open' ? { retry_after_ms: Math.ceil(state.retryAfterMs) } : {}),
      calls_running: running,
      calls_queued: queued,
    };
  }

  /** Closes the circuit, when somebody repaired the server by hand. */
  reset(id: ServerId): void {
    this.#byServer.get(id)?.policies.breaker.reset();
  }

  /** Forgets servers that are no longer registered. */
  retain(ids: ReadonlySet<ServerId>): void {
    for (const id of this.#byServer.keys()) if (!ids.has(id)) this.#byServer.delete(id);
  }
}
