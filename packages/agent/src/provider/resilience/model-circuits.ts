import { type CircuitBreaker, createCircuitBreaker } from '@plugboard/client';
import { ModelError } from '../error/model-error.js';

/** What another model can answer. A bad request stays one. */
export const FALLS_BACK: ReadonlySet<string> = new Set(['rate-limit', 'overloaded', 'server', 'timeout', 'connection']);

/** The circuit breakers of a model and of its fallback. */
export interface ModelCircuits {
  readonly main: CircuitBreaker;
  readonly fallback: CircuitBreaker;
}

const breaker = (): CircuitBreaker =>
  createCircuitBreaker({
    windowMs: 30_000,
    minimumCalls: 5,
    failureRatio: 0.5,
    openMs: 5_000,
    maxOpenMs: 60_000,
    countsAsFailure: (thrown) => thrown instanceof ModelError && FALLS_BACK.has(thrown.failure),
  });

/** Share them between providers that are created for each request: otherwise no failure is remembered. */
export const createModelCircuits = (): ModelCircuits => ({ main: breaker(), fallback: breaker() });
