import { PlugboardError, type ErrorCode } from '@plugboard/contract';
import { McpCircuitOpenError } from '../error/error-family.js';
import { systemClock, type Clock } from '../deadline/clock.js';
import { isServerFailure, tellsNothing, tellsOfOneCall } from './failure-kind.js';
import { createOutcomeWindow } from './outcome-window.js';
import { type CallContext, isUnderWay, type Policy } from './policy.js';

export interface CircuitBreakerOptions {
  /** Outcomes older than this are forgotten. */
  readonly windowMs: number;
  /** Fewer calls than this in the window never open the circuit. */
  readonly minimumCalls: number;
  /** The share of failures, 0 to 1, that opens it. */
  readonly failureRatio: number;
  /** How long it stays open before one call may try; doubles with each try that fails. */
  readonly openMs: number;
  readonly maxOpenMs: number;
  readonly countsAsFailure?: ((thrown: unknown) => boolean) | undefined;
  readonly clock?: Clock | undefined;
}

export const defaultBreakerOptions: CircuitBreakerOptions = {
  windowMs: 30_000,
  minimumCalls: 5,
  failureRatio: 0.5,
  openMs: 5_000,
  maxOpenMs: 60_000,
};

export type CircuitState =
  | { readonly status: 'closed'; readonly calls: number; readonly failures: number }
  | { readonly status: 'open'; readonly retryAfterMs: number; readonly lastFailure: ErrorCode | undefined }
  | { readonly status: 'half-open'; readonly probing: boolean };

export interface CircuitBreaker {
  /** Around a whole call with its retries: a failure that a retry cured does not count. */
  readonly policy: Policy;
  /** Around each attempt: no retries once the circuit is open. */
  readonly attempt: Policy;
  state(): CircuitState;
  /** Is it closed? */
  isClosed(): boolean;
  /** A call on the fast path was answered. */
  noteAnswer(): void;
  /** Closes it, after an operator repaired the server. */
  reset(): void;
  /** Called at each change of status; the result unsubscribes. */
  onChange(listener: (state: CircuitState) => void): () => void;
}

type Phase =
  | { readonly status: 'closed' }
  | { readonly status: 'open'; readonly until: number; readonly openMs: number }
  | { readonly status: 'half-open'; readonly probing: boolean; readonly openMs: number };

const openError = (
  context: CallContext,
  retryAfterMs: number,
  lastFailure: ErrorCode | undefined,
): McpCircuitOpenError =>
  new McpCircuitOpenError(
    'CIRCUIT_OPEN',
    `The server "${context.serverName}" failed repeatedly, so its circuit is open.`,
    {
      hint: 'Try again after the wait: one call then tests whether the server has recovered. Other servers are not affected.',
      details: lastFailure === undefined ? {} : { last_failure: lastFailure },
      retryAfterMs,
    },
  );

/** Refuses calls to a server that keeps failing. After a while, one call tests whether it has recovered. */
export const createCircuitBreaker = (options: CircuitBreakerOptions = defaultBreakerOptions): CircuitBreaker => {
  const clock = options.clock ?? systemClock;
  const countsAsFailure = options.countsAsFailure ?? isServerFailure;
  const outcomes = createOutcomeWindow(options.windowMs);
  const listeners = new Set<(state: CircuitState) => void>();
  let phase: Phase = { status: 'closed' };
  let lastFailure: ErrorCode | undefined;
  // Calls are numbered as they begin: those up to `callsSeen` were in progress when an incident was last counted.
  let begun = 0;
  const lastIncident = { callsSeen: 0, at: Number.NEGATIVE_INFINITY };

  const read = (): CircuitState => {
    switch (phase.status) {
      case 'closed':
        return { status: 'closed', ...outcomes.count(clock.now()) };
      case 'open':
        return { status: 'open', retryAfterMs: Math.ceil(phase.until - clock.now()), lastFailure };
      case 'half-open':
        return { status: 'half-open', probing: phase.probing };
    }
    return phase satisfies never;
  };
  const enter = (next: Phase): void => {
    const changed = next.status !== phase.status;
    phase = next;
    if (changed) for (const listener of listeners) listener(read());
  };
  const open = (openMs: number): void => enter({ status: 'open', until: clock.now() + openMs, openMs });
  const close = (): void => {
    outcomes.clear();
    enter({ status: 'closed' });
  };
  /** An open circuit becomes half-open by time alone. */
  const current = (): Phase => {
    if (phase.status === 'open' && clock.now() >= phase.until) {
      enter({ status: 'half-open', probing: false, openMs: phase.openMs });
    }
    return phase;
  };

  /** A call that began before the circuit changed says nothing about it now. */
  const record = (failed: boolean): void => {
    if (current().status !== 'closed') return;
    const now = clock.now();
    outcomes.add(now, failed);
    if (!failed) return;
    const { calls, failures } = outcomes.count(now);
    if (calls >= options.minimumCalls && failures >= options.failureRatio * calls) open(options.openMs);
  };

  /** A crash fails every call in flight: the first of them counts, the others are the same incident. */
  const isSameIncident = (call: number, context: CallContext, thrown: unknown): boolean => {
    if (tellsOfOneCall(thrown)) return false;
    const wasUnderWay = isUnderWay(context) && (context.place?.since ?? 0) <= lastIncident.at;
    if (wasUnderWay || call <= lastIncident.callsSeen) return true;
    lastIncident.callsSeen = begun;
    lastIncident.at = clock.now();
    return false;
  };

  const fail = (thrown: unknown): boolean => {
    const failed = countsAsFailure(thrown);
    if (failed) lastFailure = thrown instanceof PlugboardError ? thrown.code : 'INTERNAL';
    return failed;
  };

  const probe = async <T>(context: CallContext, next: (context: CallContext) => Promise<T>, openMs: number) => {
    enter({ status: 'half-open', probing: true, openMs });
    try {
      const value = await next(context);
      close();
      return value;
    } catch (thrown) {
      if (fail(thrown)) open(Math.min(openMs * 2, options.maxOpenMs));
      else if (tellsNothing(thrown)) enter({ status: 'half-open', probing: false, openMs });
      // A refusal of the arguments is an answer, so the server lives.
      else close();
      throw thrown;
    }
  };

  const refusal = (context: CallContext, at: Phase): McpCircuitOpenError => {
    const wait = at.status === 'open' ? at.until - clock.now() : options.openMs;
    return openError(context, Math.max(1, Math.ceil(wait)), lastFailure);
  };

  const attempt: Policy = (context, next) => {
    const at = current();
    return context.attempt > 1 && at.status === 'open' ? Promise.reject(refusal(context, at)) : next(context);
  };

  const policy: Policy = async (context, next) => {
    const at = current();
    const canRefuse = !isUnderWay(context);
    if (canRefuse && at.status === 'half-open' && !at.probing) return probe(context, next, at.openMs);
    if (canRefuse && at.status !== 'closed') throw refusal(context, at);
    const call = (begun += 1);
    try {
      const value = await next(context);
      record(false);
      return value;
    } catch (thrown) {
      const failed = fail(thrown);
      if (failed ? !isSameIncident(call, context, thrown) : !tellsNothing(thrown)) record(failed);
      throw thrown;
    }
  };

  return {
    policy,
    attempt,
    isClosed: () => current().status === 'closed',
    noteAnswer: () => record(false),
    reset: close,
    state() {
      current();
      return read();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
