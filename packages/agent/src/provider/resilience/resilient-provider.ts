import { pause } from '@plugboard/base';
import { backoffCeilingMs, type CircuitBreaker, McpCircuitOpenError, type Random } from '@plugboard/client';
import { PlugboardError } from '@plugboard/contract';
import type { ModelEvent } from '../../conversation/model-event.js';
import type { ModelRequest } from '../../conversation/model-request.js';
import { ModelError } from '../error/model-error.js';
import type { AskOptions, ModelBatches, ModelProvider } from '../provider.js';
import { createModelCircuits, FALLS_BACK, type ModelCircuits } from './model-circuits.js';

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
  /** Circuit breakers to be shared with other providers of the same service. Default: its own. */
  readonly circuits?: ModelCircuits | undefined;
  readonly onRetry?: ((error: ModelError, waitMs: number) => void) | undefined;
}

const RETRIES = 2;
const MAX_WAIT_MS = 30_000;
const never = new AbortController().signal;

/** Failures after which nothing was done: what must not happen twice is sent again after these only. */
const NOT_DONE: ReadonlySet<string> = new Set(['rate-limit', 'overloaded']);

const isCircuitOpen = (thrown: unknown): boolean => thrown instanceof PlugboardError && thrown.code === 'CIRCUIT_OPEN';

/** The circuit breaker calls what it guards a server. */
const explained = (thrown: unknown, provider: string): unknown =>
  thrown instanceof McpCircuitOpenError
    ? new PlugboardError(
        'CIRCUIT_OPEN',
        `The provider ${provider} failed repeatedly, so it is not asked for a while.`,
        {
          hint: 'Try again after the wait, or configure a fallback model.',
          details: thrown.details,
          retryAfterMs: thrown.retryAfterMs,
          cause: thrown,
        },
      )
    : thrown;

interface Candidate {
  readonly provider: ModelProvider;
  readonly breaker: CircuitBreaker;
  readonly model: string | undefined;
}

/** A cancelled request says nothing about the provider: the circuit breaker counts it neither as a failure nor as an answer. */
const untilCancelled = async <Answer>(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
  try {
    return await send();
  } catch (thrown) {
    throw signal.aborted ? new PlugboardError('CANCELLED', 'The request was cancelled.', { cause: thrown }) : thrown;
  }
};

/** How long to wait before the n-th retry: a random time below the ceiling, and never less than the provider asked for. */
const retryWaitMs = ({ retryAfterMs }: ModelError, retry: number, random: Random): number =>
  Math.max(retryAfterMs ?? 0, random() * backoffCeilingMs(retry));

type Alone = <Answer>(
  asked: AskOptions,
  send: () => Promise<Answer>,
  mayRetry?: (failure: ModelError) => boolean,
) => Promise<Answer>;

/** A batch that was submitted twice costs twice. */
const resilientBatches = (batches: ModelBatches, alone: Alone): ModelBatches => ({
  submit: (items, asked = {}) =>
    alone(
      asked,
      () => batches.submit(items, asked),
      ({ failure }) => NOT_DONE.has(failure),
    ),
  poll: (id, asked = {}) => alone(asked, () => batches.poll(id, asked)),
  results: (id, asked = {}) => alone(asked, () => batches.results(id, asked)),
  cancel: (id, asked = {}) => alone(asked, () => batches.cancel(id, asked)),
});

/**
 * A provider that tries again with jitter, stops asking one that keeps failing, and falls back to another model. Nothing is
 * tried again once a part of the answer was passed on.
 */
export const resilientProvider = (provider: ModelProvider, options: ResilienceOptions = {}): ModelProvider => {
  const { retries = RETRIES, fallback, maxWaitMs = MAX_WAIT_MS, random = Math.random, onRetry } = options;
  const { circuits = createModelCircuits() } = options;
  const main: Candidate = { provider, breaker: circuits.main, model: undefined };
  const candidates: readonly Candidate[] = [
    main,
    ...(fallback === undefined
      ? []
      : [{ provider: fallback.provider ?? provider, breaker: circuits.fallback, model: fallback.model }]),
  ];

  const attempts = async <Answer>(
    { provider: asked, breaker }: Candidate,
    signal: AbortSignal,
    send: () => Promise<Answer>,
    mayRetry: (failure: ModelError) => boolean = ({ retryable }) => retryable,
  ): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const context = { serverName: asked.name, method: 'model', attempt, signal };
        return await breaker.policy(context, () => untilCancelled(send, signal));
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof ModelError) || !mayRetry(thrown) || attempt > retries) {
          throw explained(thrown, asked.name);
        }
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
      const begun: ModelEvent[] = [];
      // Overloaded providers begin a stream, and then say so: nothing of the answer is there yet.
      while (begun.every(({ type }) => type === 'start')) {
        const next = await events.next();
        if (next.done === true) break;
        begun.push(next.value);
      }
      return { events, begun };
    };
    const { events, begun } = await first(asked, request, open);
    try {
      yield* begun;
      for (let next = await events.next(); next.done !== true; next = await events.next()) yield next.value;
    } finally {
      await events.return?.();
    }
  };

  /** What the fallback cannot do: tokens and vectors of another model are something else. */
  const alone = <Answer>(
    { signal = never }: AskOptions,
    send: () => Promise<Answer>,
    mayRetry?: (failure: ModelError) => boolean,
  ): Promise<Answer> => attempts(main, signal, send, mayRetry);

  const { countTokens, embed, batches } = provider;
  return {
    ...provider,
    complete: (request, asked = {}) => first(asked, request, (one, changed) => one.complete(changed, asked)),
    stream,
    countTokens:
      countTokens === undefined ? undefined : (request, asked = {}) => alone(asked, () => countTokens(request, asked)),
    embed:
      embed === undefined ? undefined : (model, texts, asked = {}) => alone(asked, () => embed(model, texts, asked)),
    batches: batches === undefined ? undefined : resilientBatches(batches, alone),
    close: () => {
      for (const one of candidates) one.provider.close();
    },
  };
};
