import { describe, expect, it } from 'vitest';
import { FAULT_KINDS, parseFault } from './fault-flag.js';

describe('--fault', () => {
  it('has values for every kind', () => {
    for (const kind of FAULT_KINDS) expect(parseFault(kind).kind).toBe(kind);
  });

  it('reads settings', () => {
    expect(parseFault('latency:ms=300,jitterMs=0,probability=0.5')).toEqual({
      kind: 'latency',
      ms: 300,
      jitterMs: 0,
      probability: 0.5,
    });
    expect(parseFault('status:status=429,retryAfter=2,phase=request,match=tools/call,times=1')).toEqual({
      kind: 'status',
      status: 429,
      headers: { 'retry-after': '2' },
      phase: 'request',
      match: 'tools/call',
      times: 1,
    });
  });

  it.each([
    ['resett', 'Did you mean "reset"?'],
    ['latency:speed=1', 'It has: ms, jitterMs, phase'],
    ['latency:ms=fast', 'latency:ms=200'],
    ['reset:phase=never', 'It has: phase'],
  ])('refuses %s', (text, hint) => {
    let thrown: unknown;
    try {
      parseFault(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'INVALID_ARGUMENT', hint: expect.stringContaining(hint) as unknown });
  });
});
