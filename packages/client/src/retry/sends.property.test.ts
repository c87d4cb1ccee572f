import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { McpClient } from '../mcp-client.js';
import { createServerPolicies } from '../policy/server-policies.js';
import { scriptedDispatcher, type ScriptedAnswer } from '../test-support/scripted-dispatcher.js';

/** When a failed call is sent again: docs/client.md has the same table for readers. */
type Rule = 'safe' | 'only-idempotent' | 'never';

interface Failure {
  readonly rule: Rule;
  /** May the server have executed the call? */
  readonly executed: boolean;
  readonly answer: ScriptedAnswer | (() => never);
}

const thrown = (code: string, bytesWritten: number): (() => never) => {
  const error = Object.assign(new Error(code), { code, socket: { bytesWritten } });
  return () => {
    throw error;
  };
};

const status = (code: number, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer => ({
  status: code,
  headers,
});

const FAILURES = {
  'connection refused': { rule: 'safe', executed: false, answer: thrown('ECONNREFUSED', 0) },
  'name not resolved': { rule: 'safe', executed: false, answer: thrown('ENOTFOUND', 0) },
  'closed before a byte was sent': { rule: 'safe', executed: false, answer: thrown('ECONNRESET', 0) },
  'session lost': { rule: 'safe', executed: false, answer: status(404) },
  '429': { rule: 'safe', executed: false, answer: status(429) },
  '429 with a pause': { rule: 'safe', executed: false, answer: status(429, { 'retry-after': '2' }) },
  '429 with a pause beyond the deadline': {
    rule: 'never',
    executed: false,
    answer: status(429, { 'retry-after': '3600' }),
  },
  'closed after sending': { rule: 'only-idempotent', executed: true, answer: thrown('ECONNRESET', 100) },
  '500': { rule: 'only-idempotent', executed: true, answer: status(500) },
  '503 with a pause': { rule: 'only-idempotent', executed: true, answer: status(503, { 'retry-after': '1' }) },
  '504': { rule: 'never', executed: true, answer: status(504) },
  'no connection in time': { rule: 'never', executed: false, answer: thrown('UND_ERR_CONNECT_TIMEOUT', 0) },
  'no answer in time': { rule: 'never', executed: true, answer: thrown('UND_ERR_HEADERS_TIMEOUT', 100) },
  'TLS failed': { rule: 'never', executed: false, answer: thrown('CERT_HAS_EXPIRED', 0) },
  '401': { rule: 'never', executed: false, answer: status(401) },
  '400': { rule: 'never', executed: false, answer: status(400) },
  'a JSON-RPC error': { rule: 'never', executed: true, answer: { body: { error: { code: -32603, message: 'no' } } } },
} as const satisfies Readonly<Record<string, Failure>>;

type FailureName = keyof typeof FAILURES;
const NAMES = Object.keys(FAILURES) as readonly FailureName[];

interface Setting {
  readonly maxRetries: number | undefined;
  readonly idempotent: boolean;
  readonly withPolicies: boolean;
}

/** How often a call goes out when its first attempts fail as listed and the next one succeeds. */
const expectedSends = (failures: readonly FailureName[], { maxRetries = 1, idempotent }: Setting): number => {
  for (const [index, name] of failures.entries()) {
    const { rule } = FAILURES[name];
    const again = rule === 'safe' || (rule === 'only-idempotent' && idempotent);
    if (!again || index === maxRetries) return index + 1;
  }
  return failures.length + 1;
};

const resultOf = (id: number, answer: ScriptedAnswer): ScriptedAnswer => ({
  ...answer,
  ...(typeof answer.body === 'object' ? { body: { jsonrpc: '2.0', id, ...answer.body } } : {}),
});

/** Calls a tool of a scripted server; gives how often the call reached the server, and may have been executed. */
const run = async (failures: readonly FailureName[], { maxRetries, idempotent, withPolicies }: Setting) => {
  let sends = 0;
  let executions = 0;
  const { dispatcher } = scriptedDispatcher(({ body, method }) => {
    if (method !== 'POST') return { status: 405 };
    const { id, method: rpc } = body as { readonly id: number; readonly method: string };
    if (rpc === 'initialize') {
      const session = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'fake' } };
      return resultOf(id, { headers: { 'mcp-session-id': 's' }, body: { result: session } });
    }
    if (rpc !== 'tools/call') return { status: 202 };
    const name = failures[sends];
    sends += 1;
    const { executed, answer }: Pick<Failure, 'executed' | 'answer'> =
      name === undefined ? { executed: true, answer: { body: { result: { content: [] } } } } : FAILURES[name];
    if (executed) executions += 1;
    return typeof answer === 'function' ? answer() : resultOf(id, answer);
  });
  const client = new McpClient({
    config: { mcp_server_type: 'streamable_http', server_url: 'http://host:1/mcp' },
    era: 'legacy',
    createDispatcher: () => dispatcher,
    maxRetries,
    ...(withPolicies ? { policies: createServerPolicies({ breaker: { minimumCalls: 100 } }) } : {}),
  });
  const state = { settled: false };
  const call = client.callTool('t', {}, { readOnly: idempotent }).then(
    () => 'ok',
    () => 'failed',
  );
  void call.finally(() => (state.settled = true));
  while (!state.settled) await vi.advanceTimersByTimeAsync(500);
  await client.dispose();
  return { sends, executions, outcome: await call };
};

const settings: fc.Arbitrary<Setting> = fc.record({
  maxRetries: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  idempotent: fc.boolean(),
  withPolicies: fc.boolean(),
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

describe('the number of sends', () => {
  test.each(NAMES)('%s: a failure that stays costs exactly what maxRetries allows', async (name) => {
    for (const maxRetries of [undefined, 0, 1, 3]) {
      for (const idempotent of [true, false]) {
        const setting = { maxRetries, idempotent, withPolicies: maxRetries === 1 };
        const failures = Array.from({ length: 6 }, () => name);
        const { sends, outcome } = await run(failures, setting);
        expect({ setting, sends, outcome }).toEqual({
          setting,
          sends: expectedSends(failures, setting),
          outcome: 'failed',
        });
      }
    }
  });

  test('follows the table for every sequence of failures, and no call is executed twice by accident', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...NAMES), { maxLength: 5 }), settings, async (failures, setting) => {
        const { sends, executions, outcome } = await run(failures, setting);
        expect(sends).toBe(expectedSends(failures, setting));
        expect(outcome).toBe(sends > failures.length ? 'ok' : 'failed');
        if (!setting.idempotent) expect(executions).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});
