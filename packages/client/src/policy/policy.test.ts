import { describe, expect, it } from 'vitest';
import { composePolicies, type Policy } from './policy.js';
import { callContext } from './test-support/call.js';

const named =
  (name: string, log: string[]): Policy =>
  async (context, next) => {
    log.push(`> ${name}`);
    const value = await next({ ...context, attempt: context.attempt + 1 });
    log.push(`< ${name}`);
    return value;
  };

describe('composePolicies', () => {
  it('wraps the call with the first policy outermost', async () => {
    const log: string[] = [];
    const policy = composePolicies([named('a', log), named('b', log)]);
    const attempt = await policy(callContext(), (context) => Promise.resolve(context.attempt));
    expect(log).toEqual(['> a', '> b', '< b', '< a']);
    expect(attempt).toBe(3);
  });

  it('is the call itself when there is nothing to apply', async () => {
    const context = callContext();
    expect(await composePolicies([])(context, (given) => Promise.resolve(given))).toBe(context);
  });
});
