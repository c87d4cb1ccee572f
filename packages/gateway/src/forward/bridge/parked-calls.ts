import { createHmac } from 'node:crypto';
import { PlugboardError } from '@plugboard/contract';
import { withMark, withoutMark } from '../../call/fleet-side.js';
import { invalidParams } from '../../rpc/rpc-refusal.js';
import type { ParkedCall } from './parked-call.js';
import { openState, sealState, type StateClaim, type ToldSoFar } from './request-state.js';

export interface ParkedCallsOptions {
  /** Seals what travels through clients; the same in all processes that serve the same clients. */
  readonly key: Uint8Array;
  /** Names this run of this process. */
  readonly holder: string;
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

/** `lost`: the call ended with the process that had it. What the client was asked before is known unless it was too long. */
export type ClaimedCall =
  | { readonly kind: 'here'; readonly call: ParkedCall }
  | { readonly kind: 'lost'; readonly told: ToldSoFar | undefined };

const DEFAULT_TTL_MS = 5 * 60_000;
const DEFAULT_MAX_CALLS = 1000;
/** Clients carry the state back and forth. */
const MAX_TOLD_CHARS = 16 * 1024;

/** Calls that wait for their client to come back with answers. */
export class ParkedCalls {
  readonly #options: ParkedCallsOptions;
  readonly #key: Uint8Array;
  readonly #entries = new Map<string, Entry>();

  constructor(options: ParkedCallsOptions) {
    this.#options = options;
    this.#key = createHmac('sha256', options.key).update('parked calls').digest();
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
    const { told } = call;
    const claim: StateClaim = {
      call: call.id,
      round: call.round,
      expires,
      holder: this.#options.holder,
      ...(JSON.stringify(told).length <= MAX_TOLD_CHARS ? { told } : {}),
    };
    return withMark(this.#options.mark, sealState(this.#key, claim, binding));
  }

  /** The call behind a state; -32602 for one that was changed, has expired, was used, or belongs to somebody else. */
  claim(state: string, binding: string): ClaimedCall {
    const claim = openState(this.#key, withoutMark(state), binding);
    if (claim !== undefined && claim.holder !== this.#options.holder) return { kind: 'lost', told: claim.told };
    const entry = claim === undefined ? undefined : this.#entries.get(claim.call);
    if (claim === undefined || entry === undefined || entry.call.round !== claim.round) {
      throw invalidParams('requestState is not valid here: it was changed, has expired, or was already used.');
    }
    clearTimeout(entry.timer);
    this.#entries.delete(claim.call);
    return { kind: 'here', call: entry.call };
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
