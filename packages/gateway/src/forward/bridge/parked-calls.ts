import { PlugboardError } from '@plugboard/contract';
import { withMark, withoutMark } from '../../call/fleet-side.js';
import { invalidParams } from '../../rpc/rpc-refusal.js';
import type { ParkedCall } from './parked-call.js';
import { openState, sealState } from './request-state.js';

export interface ParkedCallsOptions {
  /** Signs what travels through clients. */
  readonly key: Uint8Array;
  /** How long a client may take to answer. */
  readonly ttlMs?: number | undefined;
  readonly maxCalls?: number | undefined;
  /** Marks what is given out, where several processes serve the same clients. */
  readonly mark?: string | undefined;
}

interface Entry {
  readonly call: ParkedCall;
  timer: NodeJS.Timeout | undefined;
}

const DEFAULT_TTL_MS = 5 * 60_000;
const DEFAULT_MAX_CALLS = 1000;

/** Calls that wait for their client to come back with answers. */
export class ParkedCalls {
  readonly #options: ParkedCallsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: ParkedCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Keeps the call for its client, and gives out what the client must bring back. */
  park(call: ParkedCall, binding: string): string {
    const ttlMs = this.#options.ttlMs ?? DEFAULT_TTL_MS;
    if (!this.#entries.has(call.id) && this.#entries.size >= (this.#options.maxCalls ?? DEFAULT_MAX_CALLS)) {
      call.abort();
      throw new PlugboardError('RATE_LIMITED', 'Too many calls are waiting for answers from clients.', {
        hint: 'Answer or cancel some of them, or try again later.',
        retryAfterMs: 5000,
      });
    }
    call.round += 1;
    const timer = setTimeout(() => this.#forget(call.id), ttlMs);
    timer.unref();
    this.#entries.set(call.id, { call, timer });
    const expires = Math.ceil((Date.now() + ttlMs) / 1000);
    const state = sealState(this.#options.key, { call: call.id, round: call.round, expires }, binding);
    return withMark(this.#options.mark, state);
  }

  /** The call behind a state; -32602 for one that was changed, has expired, was used, or belongs to somebody else. */
  claim(state: string, binding: string): ParkedCall {
    const claim = openState(this.#options.key, withoutMark(state), binding);
    const entry = claim === undefined ? undefined : this.#entries.get(claim.call);
    if (claim === undefined || entry === undefined || entry.call.round !== claim.round) {
      throw invalidParams('requestState is not valid here: it was changed, has expired, or was already used.');
    }
    clearTimeout(entry.timer);
    this.#entries.delete(claim.call);
    return entry.call;
  }

  close(): void {
    for (const id of this.#entries.keys()) this.#forget(id);
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.#entries.delete(id);
    entry.call.abort();
  }
}
