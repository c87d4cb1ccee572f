import type { HeldPlace } from './call-gate.js';

/** What a transport reports while a call is under way. */
export type CallActivity = 'connected' | 'received' | 'progress';

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
  /** Present when the request is under way already: then nothing may refuse it any more. */
  readonly place?: HeldPlace | undefined;
  /** How long all waits before attempts together may keep the caller; any time when left out. */
  readonly patienceMs?: number | undefined;
  /** Told how long a wait before an attempt will still take: when it begins, and now and then until it is over. */
  readonly onWait?: ((leftMs: number) => void) | undefined;
  /** Ends the call; policies narrow it, they never drop it. */
  readonly signal: AbortSignal;
  /** The transport calls it when the connection stands and whenever something arrived. */
  readonly onActivity?: ((activity: CallActivity) => void) | undefined;
}

/** Is this attempt with the server already? Then it can no longer be refused or spared. */
export const isUnderWay = ({ place, attempt }: CallContext): boolean => place !== undefined && attempt === 1;

/** One concern around a call: it may refuse, delay, repeat or limit what `next` does. */
export type Policy = <T>(context: CallContext, next: (context: CallContext) => Promise<T>) => Promise<T>;

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
