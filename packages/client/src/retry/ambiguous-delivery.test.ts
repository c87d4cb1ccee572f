import { describe, expect, test } from 'vitest';
import { callPolicy } from '../call/call-policy.js';
import type { Delivery, McpClientError } from '../error/client-error.js';
import { clientError } from '../error/to-client-error.js';
import { callContext } from '../policy/test-support/call.js';

const closed = (delivery: Delivery): McpClientError => clientError('UPSTREAM_CLOSED', 'Closed.', { delivery });
const policy = (maxRetries: number) => callPolicy({}, { maxRetries, random: () => 0 });

describe('reportAmbiguousDelivery', () => {
  test('says that a call may have run, and keeps the history', async () => {
    const failing = policy(1)(callContext({ toolName: 't' }), async ({ attempt }) => {
      throw attempt === 1 ? closed('not-executed') : closed('ambiguous');
    });
    await expect(failing).rejects.toMatchObject({
      code: 'AMBIGUOUS_DELIVERY',
      message: 'The tool "t" may have been executed: Closed.',
      details: { reason: 'UPSTREAM_CLOSED' },
      attempts: [{}, {}],
    });
    const method = policy(0)(callContext({ method: 'vendor/do' }), async () => {
      throw closed('ambiguous');
    });
    await expect(method).rejects.toThrow('vendor/do may have been executed');
  });

  test('keeps the hint of a deadline', async () => {
    const failing = policy(0)(callContext(), async () => {
      throw clientError('UPSTREAM_TIMEOUT', 'Late.', { delivery: 'ambiguous', hint: 'Raise it.' });
    });
    await expect(failing).rejects.toMatchObject({ hint: expect.stringContaining('Raise it.') as string });
  });

  test('an idempotent call gets the plain error', async () => {
    const failing = policy(0)(callContext({ idempotent: true }), async () => {
      throw closed('ambiguous');
    });
    await expect(failing).rejects.toMatchObject({ code: 'UPSTREAM_CLOSED', attempts: [] });
  });

  test('a cancelled call is reported as cancelled, and not retried', async () => {
    const controller = new AbortController();
    let tries = 0;
    const failing = policy(3)(callContext({ signal: controller.signal }), async () => {
      tries += 1;
      controller.abort();
      throw clientError('CANCELLED', 'Cancelled.', { delivery: 'ambiguous' });
    });
    await expect(failing).rejects.toMatchObject({ code: 'CANCELLED' });
    const late = policy(3)(callContext({ signal: AbortSignal.abort() }), async () => {
      tries += 1;
      throw closed('not-executed');
    });
    await expect(late).rejects.toMatchObject({ code: 'UPSTREAM_CLOSED' });
    expect(tries).toBe(2);
  });
});
