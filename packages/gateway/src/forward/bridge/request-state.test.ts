import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openState, sealState } from './request-state.js';

const KEY = Buffer.alloc(32, 7);
const claim = { call: 'abc', round: 2, expires: 2_000_000_000, holder: 'one' };
const NOW = 1_900_000_000_000;

describe('the state of a parked call', () => {
  it('comes back as it was', () => {
    expect(openState(KEY, sealState(KEY, claim, 'ada'), 'ada', NOW)).toEqual(claim);
  });

  it('is refused to another caller, after its time, and under another key', () => {
    const state = sealState(KEY, claim, 'ada');
    expect(openState(KEY, state, 'eve', NOW)).toBeUndefined();
    expect(openState(KEY, state, 'ada', 2_000_000_000_001)).toBeUndefined();
    expect(openState(Buffer.alloc(32, 8), state, 'ada', NOW)).toBeUndefined();
  });

  it('is refused when anything in it was changed', () => {
    const state = sealState(KEY, claim, 'ada');
    fc.assert(
      fc.property(fc.nat(state.length - 1), fc.string({ minLength: 1, maxLength: 3 }), (at, text) => {
        const changed = state.slice(0, at) + text + state.slice(at + 1);
        fc.pre(changed !== state);
        expect(openState(KEY, changed, 'ada', NOW)).toBeUndefined();
      }),
    );
    expect(openState(KEY, `${state}-TAMPERED`, 'ada', NOW)).toBeUndefined();
    expect(openState(KEY, '', 'ada', NOW)).toBeUndefined();
  });

  it('shows nothing of whom it belongs to, nor of what was answered', () => {
    const told = { asked: { 'input-1': 'digest' }, given: { 'input-1': { content: 'secret-answer' } } };
    const state = sealState(KEY, { ...claim, told }, 'secret-principal');
    expect(openState(KEY, state, 'secret-principal', NOW)).toEqual({ ...claim, told });
    expect(Buffer.from(state, 'base64url').toString('latin1')).not.toContain('secret');
  });
});
