import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Delivery, McpClientError } from '../error/client-error.js';
import { clientError } from '../error/to-client-error.js';
import { policyStack } from '../compose-policies.js';
import { composePolicies, type CallContext } from '../policy/policy.js';
import { mayReplay } from './may-replay.js';
import { isRepeatableMethod, isRepeatableTool } from './repeatable.js';

const contextOf = (change: Partial<CallContext> = {}): CallContext => ({
  serverName: 's',
  method: 'tools/call',
  toolName: 't',
  attempt: 1,
  idempotent: false,
  signal: new AbortController().signal,
  ...change,
});

const closed = (delivery: Delivery): McpClientError => clientError('UPSTREAM_CLOSED', 'Closed.', { delivery });

describe('mayReplay', () => {
  const codes = [
    'UPSTREAM_REFUSED',
    'UPSTREAM_CLOSED',
    'SESSION_LOST',
    'PROCESS_EXITED',
    'UPSTREAM_TIMEOUT',
    'UPSTREAM_AUTH',
    'CANCELLED',
    'INVALID_ARGUMENT',
    'RATE_LIMITED',
    'PROCESS_CRASH_LOOP',
  ] as const;

  test('never repeats what may have run and may not run twice, nor what was answered, nor beyond the limit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...codes),
        fc.constantFrom<Delivery>('not-executed', 'ambiguous', 'answered'),
        fc.boolean(),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 5 }),
        (code, delivery, repeatable, tries, maxRetries) => {
          const again = mayReplay({ error: clientError(code, '', { delivery }), repeatable, tries, maxRetries });
          if (again) {
            expect(delivery).not.toBe('answered');
            expect(delivery === 'not-executed' || repeatable).toBe(true);
            expect(tries).toBeLessThanOrEqual(maxRetries);
            expect(['UPSTREAM_REFUSED', 'UPSTREAM_CLOSED', 'SESSION_LOST', 'PROCESS_EXITED']).toContain(code);
          }
        },
      ),
    );
  });
});

describe('the stack', () => {
  const stack = (maxRetries: number, seen: string[] = []) =>
    composePolicies(
      policyStack({
        policies: [
          async (context, next) => {
            seen.push('outer');
            return next(context);
          },
        ],
        replay: { maxRetries, onReplay: (context) => seen.push(`replay ${context.attempt}`) },
      }),
    );

  test('repeats until it works, and tells each attempt its number', async () => {
    const seen: string[] = [];
    const attempts: number[] = [];
    const result = await stack(2, seen)(contextOf(), async ({ attempt }) => {
      attempts.push(attempt);
      if (attempt < 3) {
        throw closed('not-executed');
      }
      return 'done';
    });
    expect([result, attempts, seen]).toEqual(['done', [1, 2, 3], ['outer', 'replay 1', 'replay 2']]);
  });

  test('ends with the last error and the history of all', async () => {
    const failing = stack(2)(contextOf(), async ({ attempt }) => {
      throw attempt < 3 ? closed('not-executed') : clientError('UPSTREAM_REFUSED', 'Refused.');
    });
    await expect(failing).rejects.toMatchObject({
      code: 'UPSTREAM_REFUSED',
      attempts: [{ code: 'UPSTREAM_CLOSED' }, { code: 'UPSTREAM_CLOSED' }, { code: 'UPSTREAM_REFUSED', attempt: 3 }],
    });
  });

  test('says that a call may have run, and keeps the history', async () => {
    const failing = stack(1)(contextOf(), async ({ attempt }) => {
      throw attempt === 1 ? closed('not-executed') : closed('ambiguous');
    });
    await expect(failing).rejects.toMatchObject({
      code: 'AMBIGUOUS_DELIVERY',
      message: 'It is not known whether the tool "t" ran: Closed.',
      details: { reason: 'UPSTREAM_CLOSED' },
      attempts: [{}, {}],
    });
    const method = stack(0)(contextOf({ method: 'vendor/do', toolName: undefined }), async () => {
      throw closed('ambiguous');
    });
    await expect(method).rejects.toThrow('whether vendor/do ran');
  });

  test('a repeatable call gets the plain error', async () => {
    const failing = stack(0)(contextOf({ idempotent: true }), async () => {
      throw closed('ambiguous');
    });
    await expect(failing).rejects.toMatchObject({ code: 'UPSTREAM_CLOSED', attempts: [] });
  });

  test('whoever gave up is not told riddles, and nothing is repeated for him', async () => {
    const controller = new AbortController();
    let tries = 0;
    const failing = stack(3)(contextOf({ signal: controller.signal }), async () => {
      tries += 1;
      controller.abort();
      throw clientError('CANCELLED', 'Cancelled.', { delivery: 'ambiguous' });
    });
    await expect(failing).rejects.toMatchObject({ code: 'CANCELLED' });
    const late = stack(3)(contextOf({ signal: AbortSignal.abort() }), async () => {
      tries += 1;
      throw closed('not-executed');
    });
    await expect(late).rejects.toMatchObject({ code: 'UPSTREAM_CLOSED' });
    expect(tries).toBe(2);
  });
});

test('methods and tools that may be repeated', () => {
  expect(['tools/list', 'resources/read', 'prompts/get', 'ping'].every(isRepeatableMethod)).toBe(true);
  expect(['tools/call', 'tasks/cancel', 'sampling/createMessage', 'vendor/x'].some(isRepeatableMethod)).toBe(false);
  expect(isRepeatableTool({ name: 'a', annotations: { readOnlyHint: true } })).toBe(true);
  expect(isRepeatableTool({ name: 'a', annotations: { idempotentHint: true } })).toBe(true);
  expect(isRepeatableTool({ name: 'a', annotations: { readOnlyHint: 'yes' } })).toBe(false);
  expect(isRepeatableTool({ name: 'a', annotations: [] })).toBe(false);
  expect(isRepeatableTool(undefined)).toBe(false);
});
