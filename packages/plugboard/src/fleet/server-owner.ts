import { setTimeout as wait } from 'node:timers/promises';
import { PlugboardError, type Server, toPlugboardError } from '@plugboard/contract';
import type { HttpExchange } from '@plugboard/gateway';
import type { FleetMembers } from './fleet-members.js';
import type { HeldLeases } from './held-leases.js';
import type { Peers } from './peers.js';

export interface ServerOwnerOptions {
  readonly leases: HeldLeases;
  readonly members: FleetMembers;
  readonly peers: Pick<Peers, 'pass'>;
}

/** The lease of a process that was killed expires within this time. */
const WAIT_MS = 12_000;
const LOOK_MS = 250;
const PREFIX = 'server ';

export const leaseOfServer = (server: Pick<Server, 'id'>): string => PREFIX + server.id;

/** The server that a lease is about. */
export const serverOfLease = (name: string): string | undefined =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;

/**
 * Does one process of the fleet run the program of this server for all requests outside a session? Servers that are known
 * to hold no state run in every process.
 */
export const isOwnedOnce = ({ config, protocol }: Pick<Server, 'config' | 'protocol'>): boolean =>
  config.mcp_server_type === 'stdio' &&
  (config.sharing === undefined || config.sharing === null ? protocol?.era !== 'modern' : config.sharing !== 'shared');

const noOwner = (cause?: unknown): PlugboardError =>
  new PlugboardError('UPSTREAM_UNAVAILABLE', 'The process that runs this server cannot be found now.', {
    hint: 'Try again in a moment. It is available again when the database answers.',
    retryAfterMs: 1000,
    ...(cause === undefined ? {} : { cause }),
  });

/** Aborts when the caller goes away. */
const whenClosed = ({ response }: HttpExchange): { readonly signal: AbortSignal; readonly stop: () => void } => {
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  response.once('close', abort);
  return { signal: gone.signal, stop: () => response.off('close', abort) };
};

/** Finds the process that runs the program of a server, and passes requests on to it. */
export class ServerOwner {
  readonly #options: ServerOwnerOptions;

  constructor(options: ServerOwnerOptions) {
    this.#options = options;
  }

  /** Undefined when this process runs it; else whether the request was passed on. */
  passOn(server: Server, exchange: HttpExchange): Promise<boolean> | undefined {
    return this.#options.leases.peek(leaseOfServer(server))?.isMine === true ? undefined : this.#find(server, exchange);
  }

  /** May this process act under the lease that a request names? */
  holds(lease: string): boolean {
    const cut = lease.lastIndexOf(' ');
    return this.#options.leases.holds(lease.slice(0, cut), Number(lease.slice(cut + 1)));
  }

  async #find(server: Server, exchange: HttpExchange): Promise<boolean> {
    const { leases, members, peers } = this.#options;
    const name = leaseOfServer(server);
    const gone = whenClosed(exchange);
    const deadline = performance.now() + WAIT_MS;
    try {
      while (!gone.signal.aborted) {
        const view = await leases.resolve(name).catch((thrown: unknown) => {
          throw noOwner(toPlugboardError(thrown));
        });
        if (view.isMine) return false;
        const member = await members.find(view.holder);
        const outcome =
          member === undefined ? 'gone' : await peers.pass(member, exchange, { lease: `${name} ${view.token}` });
        if (outcome === 'passed') return true;
        // A process that seems dead may still run the program: nobody else does before its lease has expired.
        leases.doubt(name);
        // A process that itself stood still meanwhile tries once more, since the wait comes after this look at the time.
        if (performance.now() >= deadline) break;
        await wait(LOOK_MS, undefined, { signal: gone.signal }).catch(() => undefined);
      }
    } finally {
      gone.stop();
    }
    throw noOwner();
  }
}
