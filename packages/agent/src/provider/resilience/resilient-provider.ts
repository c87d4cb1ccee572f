import { pause } from '@plugboard/base';
import { type CircuitBreaker, createCircuitBreaker, type Random, backoffCeilingMs } from '@plugboard/client';
import type { ModelEvent } from '../../conversation/model-event.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { ModelError } from '../error/model-error.js';
import type { AskOptions, ModelProvider } from '../provider.js';

export interface Fallback {
  /** Default: the same provider. */
  readonly provider?: ModelProvider | undefined;
  readonly model: string;
}

export interface ResilienceOptions {
  /** Further attempts after the first. Default: 2. */
  readonly retries?: number | undefined;
  /** The model that answers when the first one does not. */
  readonly fallback?: Fallback | undefined;
  /** The longest wait before an attempt. Who asks for more is not asked again. Default: 30 s. */
  readonly maxWaitMs?: number | undefined;
  readonly random?: Random | undefined;
  readonly onRetry?: ((error: ModelError, waitMs: number) => void) | undefined;
}

const RETRIES = 2;
const MAX_WAIT_MS = 30_000;
const never = new AbortController().signal;

/** What another model can answer. A bad request stays one. */
const FALLS_BACK: ReadonlySet<string> = new Set(['rate-limit', 'overloaded', 'server', 'timeout', 'connection']);

const isCircuitOpen = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'CIRCUIT_OPEN';

interface Candidate {
  readonly provider: ModelProvider;
  readonly breaker: CircuitBreaker;
  readonly model: string | undefined;
}

const breakerOf = (): CircuitBreaker =>
  createCircuitBreaker({
    windowMs: 30_000,
    minimumCalls: 5,
    failureRatio: 0.5,
    openMs: 5_000,
    maxOpenMs: 60_000,
    countsAsFailure: (thrown) => thrown instanceof ModelError && FALLS_BACK.has(thrown.failure),
  });

/** How long to wait before the n-th retry: a random time below the ceiling, and never less than the provider asked for. */
const retryWaitMs = ({ retryAfterMs }: ModelError, retry: number, random: Random): number =>
  Math.max(retryAfterMs ?? 0, random() * backoffCeilingMs(retry));

/**
 * A provider that tries again with jitter, stops asking one that keeps failing, and falls back to another model. Nothing is
 * tried again once a part of the answer was passed on.
 */
export const resilientProvider = (provider: ModelProvider, options: ResilienceOptions = {}): ModelProvider => {
  const { retries = RETRIES, fallback, maxWaitMs = MAX_WAIT_MS, random = Math.random, onRetry } = options;
  const candidates: readonly Candidate[] = [
    { provider, breaker: breakerOf(), model: undefined },
    ...(fallback === undefined
      ? []
      : [{ provider: fallback.provider ?? provider, breaker: breakerOf(), model: fallback.model }]),
  ];

  const attempts = async <Answer>(
    { provider: asked, breaker }: Candidate,
    signal: AbortSignal,
    send: () => Promise<Answer>,
  ): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const context = { serverName: asked.name, method: 'model', attempt, signal };
        return await breaker.policy(context, send);
      } catch (thrown) {
        if (!(thrown instanceof ModelError) || !thrown.retryable || attempt > retries) throw thrown;
        const waitMs = retryWaitMs(thrown, attempt, random);
        if (waitMs > maxWaitMs) throw thrown;
        onRetry?.(thrown, waitMs);
        if (!(await pause(waitMs, signal))) throw signal.reason;
      }
    }
  };

  /** The first candidate that answers. */
  const first = async <Answer>(
    asked: AskOptions,
    request: ModelRequest,
    send: (candidate: ModelProvider, request: ModelRequest) => Promise<Answer>,
  ): Promise<Answer> => {
    let failure: unknown;
    for (const candidate of candidates) {
      const { provider: answering, model } = candidate;
      const changed = model === undefined ? request : { ...request, model };
      try {
        return await attempts(candidate, asked.signal ?? never, () => send(answering, changed));
      } catch (thrown) {
        asked.signal?.throwIfAborted();
        failure = thrown;
        const another = isCircuitOpen(thrown) || (thrown instanceof ModelError && FALLS_BACK.has(thrown.failure));
        if (!another) throw thrown;
      }
    }
    throw failure;
  };

  const stream = async function* (request: ModelRequest, asked: AskOptions = {}): AsyncGenerator<ModelEvent> {
    const open = async (answering: ModelProvider, changed: ModelRequest) => {
      const events = answering.stream(changed, asked)[Symbol.asyncIterator]();
      return { events, begun: await events.next() };
    };
    const { events, begun } = await first(asked, request, open);
    try {
      for (let next = begun; next.done !== true; next = await events.next()) yield next.value;
    } finally {
      await events.return?.();
    }
  };

  return {
    ...provider,
    complete: (request, asked = {}) => first(asked, request, (one, changed) => one.complete(changed, asked)),
    stream,
    close: () => {
      for (const one of candidates) one.provider.close();
    },
  };
};
