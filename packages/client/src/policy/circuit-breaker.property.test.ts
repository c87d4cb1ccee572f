import type { PlugboardError } from '@plugboard/contract';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.js';
import { callContext, errorOf, failing } from './test-support/call.js';
import { createFakeClock, type FakeClock } from '../deadline/test-support/fake-clock.js';

const options = { windowMs: 1_000, minimumCalls: 3, failureRatio: 0.6, openMs: 200, maxOpenMs: 700 };
const stepMs = options.windowMs / 10;

/** The same rules, written as a plain story of what happened. */
class Model {
  now = 0;
  history: { at: number; failed: boolean }[] = [];
  openUntil: number | undefined;
  openMs = options.openMs;

  get status(): 'closed' | 'open' | 'half-open' {
    if (this.openUntil === undefined) return 'closed';
    return this.now < this.openUntil ? 'open' : 'half-open';
  }

  recent() {
    return this.history.filter(({ at }) => Math.floor(at / stepMs) > Math.floor(this.now / stepMs) - 10);
  }

  /** What a call must come to: it is let through or refused. */
  call(outcome: 'success' | 'failure' | 'cancelled'): 'through' | 'refused' {
    switch (this.status) {
      case 'open':
        return 'refused';
      case 'half-open':
        if (outcome === 'cancelled') return 'through';
        if (outcome === 'failure') {
          this.openMs = Math.min(this.openMs * 2, options.maxOpenMs);
          this.openUntil = this.now + this.openMs;
        } else {
          this.openUntil = undefined;
          this.history = [];
        }
        return 'through';
      case 'closed': {
        if (outcome === 'cancelled') return 'through';
        this.history.push({ at: this.now, failed: outcome === 'failure' });
        const recent = this.recent();
        const failures = recent.filter(({ failed }) => failed).length;
        const tooMany = recent.length >= options.minimumCalls && failures / recent.length >= options.failureRatio;
        if (outcome === 'failure' && tooMany) {
          this.openMs = options.openMs;
          this.openUntil = this.now + options.openMs;
        }
        return 'through';
      }
    }
  }
}

interface Real {
  readonly breaker: CircuitBreaker;
  readonly clock: FakeClock;
}

const compare = (model: Model, { breaker }: Real): void => {
  const state = breaker.state();
  assert.equal(state.status, model.status);
  if (state.status === 'closed') {
    assert.equal(state.calls, model.recent().length);
    assert.equal(state.failures, model.recent().filter(({ failed }) => failed).length);
  }
  if (state.status === 'open') assert.equal(state.retryAfterMs, (model.openUntil ?? 0) - model.now);
};

class Call implements fc.AsyncCommand<Model, Real> {
  readonly outcome: 'success' | 'failure' | 'cancelled';
  constructor(outcome: 'success' | 'failure' | 'cancelled') {
    this.outcome = outcome;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    let reached = false;
    const next = (): Promise<string> => {
      reached = true;
      if (this.outcome === 'success') return Promise.resolve('ok');
      return failing(this.outcome === 'failure' ? 'UPSTREAM_TIMEOUT' : 'CANCELLED')();
    };
    const ended = real.breaker.policy(callContext(), next);
    const expected = model.call(this.outcome);
    const seen = await ended.catch((thrown: unknown) => (thrown as PlugboardError).code);
    assert.equal(
      seen,
      expected === 'refused'
        ? 'CIRCUIT_OPEN'
        : { success: 'ok', failure: 'UPSTREAM_TIMEOUT', cancelled: 'CANCELLED' }[this.outcome],
    );
    assert.equal(reached, expected === 'through');
    compare(model, real);
  }
  toString = (): string => this.outcome;
}

class Wait implements fc.AsyncCommand<Model, Real> {
  readonly ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  check = (): boolean => true;
  async run(model: Model, real: Real): Promise<void> {
    await real.clock.advance(this.ms);
    model.now += this.ms;
    compare(model, real);
  }
  toString = (): string => `wait ${this.ms}`;
}

describe('the circuit breaker and its model', () => {
  it('agree after any sequence of calls and waits', async () => {
    const commands = [
      fc
        .constantFrom('success' as const, 'failure' as const, 'failure' as const, 'cancelled' as const)
        .map((outcome) => new Call(outcome)),
      fc.integer({ min: 1, max: 1_200 }).map((ms) => new Wait(ms)),
    ];
    const outcome = await fc.check(
      fc.asyncProperty(fc.commands(commands, { maxCommands: 60, size: 'max' }), async (sequence) => {
        const clock = createFakeClock();
        const setup = () => ({
          model: new Model(),
          real: { breaker: createCircuitBreaker({ ...options, clock }), clock },
        });
        await fc.asyncModelRun(setup, sequence);
      }),
      { numRuns: 300 },
    );
    expect(outcome.failed ? fc.defaultReportMessage(outcome) : '').toBe('');
  });

  it('refuse every call of a burst at an open circuit', async () => {
    const clock = createFakeClock();
    const breaker = createCircuitBreaker({ ...options, clock });
    for (let count = 0; count < 3; count += 1) {
      await errorOf(breaker.policy(callContext(), failing('UPSTREAM_REFUSED')));
    }
    const burst = Array.from({ length: 50 }, () => errorOf(breaker.policy(callContext(), () => Promise.resolve())));
    expect(new Set((await Promise.all(burst)).map((error) => error.code))).toEqual(new Set(['CIRCUIT_OPEN']));
  });
});
