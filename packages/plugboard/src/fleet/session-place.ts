import { type HttpExchange, markOfId, sessionKey } from '@plugboard/gateway';
import { PlugboardError } from '@plugboard/contract';
import type { FleetStore } from '@plugboard/registry';
import type { FleetMembers } from './fleet-members.js';
import type { Peers } from './peers.js';

export interface SessionPlaceOptions {
  readonly store: Pick<FleetStore, 'sessionHolder' | 'takeSession'>;
  readonly members: FleetMembers;
  readonly peers: Pick<Peers, 'pass'>;
}

/** Several processes may want a session whose process ended; one of them gets it. */
const MAX_ATTEMPTS = 4;
const MAX_MOVED = 10_000;

const unreachable = (): PlugboardError =>
  new PlugboardError('OVERLOADED', 'The process that serves this session cannot be reached now.', {
    hint: 'Try again in a moment: if it does not come back, another process continues the session.',
    retryAfterMs: 1000,
  });

/** Finds the process that has a session, and passes requests on to it. Takes over sessions whose process ended. */
export class SessionPlace {
  readonly #options: SessionPlaceOptions;
  /** Sessions that another process took over: their ids do not say so. */
  readonly #moved = new Map<string, string>();

  constructor(options: SessionPlaceOptions) {
    this.#options = options;
  }

  /** Passes the request on; false when it is to be answered here. `isKept`: can another process continue the session? */
  async passOn(id: string, exchange: HttpExchange, isKept: boolean): Promise<boolean> {
    const { members } = this.#options;
    const first = this.#moved.get(id) ?? markOfId(id);
    if (first !== members.self.id && (await this.#pass(first, exchange))) return true;
    this.#moved.delete(id);
    return isKept && !(await this.#take(id, exchange, first));
  }

  /** Does the store say that this process has the session? */
  async isOurs(id: string): Promise<boolean> {
    const holder = await this.#options.store.sessionHolder(sessionKey(id));
    return (
      holder === this.#options.members.self.id || (holder === null && markOfId(id) === this.#options.members.self.id)
    );
  }

  /** Makes this process the holder; false when the request was passed on to another one. */
  async #take(id: string, exchange: HttpExchange, tried: string): Promise<boolean> {
    const { store, members } = this.#options;
    const key = sessionKey(id);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const holder = await store.sessionHolder(key);
      // Not stored: this process responds that the session does not exist.
      if (holder === undefined || holder === members.self.id) return true;
      const owner = holder ?? markOfId(id);
      const isElsewhere = owner !== members.self.id && (owner !== tried || attempt > 1);
      if (isElsewhere && (await this.#pass(owner, exchange))) {
        this.#remember(id, owner);
        return false;
      }
      if (await store.takeSession(key, { from: holder, to: members.self.id })) return true;
    }
    throw unreachable();
  }

  /** False when that process does not have it, or is not there. */
  async #pass(mark: string, exchange: HttpExchange): Promise<boolean> {
    const member = await this.#options.members.find(mark);
    if (member === undefined) return false;
    const outcome = await this.#options.peers.pass(member, exchange);
    if (outcome === 'unreachable') throw unreachable();
    return outcome === 'passed';
  }

  #remember(id: string, owner: string): void {
    const oldest = this.#moved.keys().next();
    if (this.#moved.size >= MAX_MOVED && oldest.done !== true) this.#moved.delete(oldest.value);
    this.#moved.set(id, owner);
  }
}
