import { describe, expect, it } from 'vitest';
import { KeyAllowance } from './key-allowance.js';

const setUp = () => {
  const clock = { now: 0 };
  const allowance = new KeyAllowance({
    periodMs: 1000,
    perCaller: { keys: 2, chars: 100 },
    inAll: { keys: 3, chars: 150 },
    now: () => clock.now,
  });
  return { allowance, clock };
};

describe('the allowance of idempotency keys', () => {
  it('is one for each caller, and another for all', () => {
    const { allowance } = setUp();
    expect([allowance.take('ada'), allowance.take('ada')]).toEqual([undefined, undefined]);
    expect(allowance.take('ada')?.message).toContain('This caller has used all idempotency keys');
    expect(allowance.take('eve')).toBeUndefined();
    expect(allowance.take('eve')?.message).toContain('All idempotency keys that this hub remembers');
    expect(allowance.take('eve')).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000 });
  });

  it('is given back by requests that left nothing', () => {
    const { allowance } = setUp();
    for (let each = 0; each < 10; each += 1) {
      expect(allowance.take('ada')).toBeUndefined();
      allowance.giveBack('ada');
    }
  });

  it('counts what responses take', () => {
    const { allowance } = setUp();
    expect(allowance.keeps('ada', 80)).toBe(true);
    expect(allowance.keeps('ada', 30)).toBe(false);
    expect(allowance.keeps('ada', 20)).toBe(true);
    expect(allowance.keeps('eve', 60)).toBe(false);
    expect(allowance.keeps('eve', 50)).toBe(true);
  });

  it('is there again when what it was used for is forgotten', () => {
    const { allowance, clock } = setUp();
    allowance.take('ada');
    allowance.take('ada');
    allowance.take('eve');
    allowance.keeps('ada', 100);
    clock.now = 1000;
    expect(allowance.take('ada')).toBeUndefined();
    expect(allowance.keeps('ada', 100)).toBe(true);
  });
});
