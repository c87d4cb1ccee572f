import type { Endable } from '../deadline/call-deadline.js';
import type { CallGate, HeldPlace } from './call-gate.js';

/** What is known of a call on its way to a server. */
export interface CallContext {
  readonly serverName: string;
  /** The JSON-RPC method. */
  readonly method: string;
  /** The upstream name of the tool, for `tools/call`. */
  readonly toolName?: string | undefined;
  /** On whose behalf: the fair queue takes turns between callers. */
  readonly caller?: string | undefined;
  /** 1 for the first try; each retry adds one. */
  readonly attempt: number;
  /** May the call be executed twice without harm? */
  readonly idempotent?: boolean | undefined;
  /** Present when the request was sent on the fast path: it can no longer be refused. */
  readonly place?: HeldPlace | undefined;
  /** How long all waits before attempts together may keep the caller; any time when left out. */
  readonly patienceMs?: number | undefined;
  /** Told how long a wait before an attempt will still take: when it begins, and now and then until it is over. */
  readonly onWait?: ((leftMs: number) => void) | undefined;
  /**
   * Ends the call; policies narrow it, they never drop it. With policies of your own it is a signal of the platform; with those
   * of `createServerPolicies` it costs less, and `AbortSignal.any` cannot hear it.
   */
  readonly signal: AbortSignal;
  /** Present where policies and deadlines may end the call themselves: what aborts its signal. */
  readonly ending?: Endable | undefined;
  /** Called when the server reports progress. */
  readonly onProgress?: (() => void) | undefined;
}

/** What ends a call: that of the call itself, unless its signal was narrowed since. */
export const endingOf = ({ ending, signal }: CallContext): Endable | undefined =>
  ending?.signal === signal ? ending : undefined;

/** Was this attempt already sent on the fast path? Then it can no longer be refused. */
export const isUnderWay = ({ place, attempt }: CallContext): boolean => place !== undefined && attempt === 1;

/** One concern around a call: it may refuse, delay, retry or limit what `next` does. */
export type Policy = <T>(context: CallContext, next: (context: CallContext) => Promise<T>) => Promise<T>;

/** What stands around the calls to one server. Several clients may share it. */
export interface CallPolicies {
  /** Around a whole call, with its retries. */
  readonly call?: Policy | undefined;
  /** Around each attempt. */
  readonly attempt?: Policy | undefined;
  /** The same for calls on the fast path. Without a gate, calls with policies take the full path. */
  readonly gate?: CallGate | undefined;
}

/** One policy out of many; the first of the list is the outermost. */
export const composePolicies =
  (policies: readonly Policy[]): Policy =>
  <T>(context: CallContext, next: (context: CallContext) => Promise<T>): Promise<T> => {
    const enter = (index: number, current: CallContext): Promise<T> => {
      const policy = policies[index];
      return policy === undefined ? next(current) : policy(current, (inner) => enter(index + 1, inner));
    };
    return enter(0, context);
  };
