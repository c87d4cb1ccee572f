import { expect, it } from 'vitest';
import type { CallRecord } from './call-record.js';
import { CallHistory } from './call-history.js';

const MINUTE = 60_000;

const record = (changes: Partial<CallRecord> = {}): CallRecord => ({
  method: 'tools/call',
  scope: 'all',
  principal: 'local',
  era: 'legacy',
  server: 'one',
  tool: 'a',
  outcome: 'ok',
  durationMs: 5,
  traceId: undefined,
  args: {},
  ...changes,
});

it('keeps calls of tools minute by minute, for all and for each server', () => {
  let now = 10 * MINUTE + 500;
  const history = new CallHistory({ now: () => now });
  history.add(record());
  history.add(record({ server: 'two', outcome: 'tool_error', durationMs: 100 }));
  history.add(record({ method: 'tools/list', server: undefined, tool: undefined }));
  now += MINUTE;
  history.add(record({ outcome: 'UPSTREAM_TIMEOUT', durationMs: 900 }));
  const { periods, outcomes, servers, period_seconds } = history.read();
  expect(period_seconds).toBe(60);
  expect(periods.map(({ at, count, failed, tool_errors }) => [at, count, failed, tool_errors])).toEqual([
    [new Date(10 * MINUTE).toISOString(), 2, 0, 1],
    [new Date(11 * MINUTE).toISOString(), 1, 1, 0],
  ]);
  expect(periods[1]).toMatchObject({ max_ms: 900, p50_ms: 900 });
  expect(outcomes).toEqual({ ok: 1, tool_error: 1, UPSTREAM_TIMEOUT: 1 });
  expect(servers.map(({ server, periods: own }) => [server, own.length])).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
});

it('forgets what is older than an hour, also while nothing is called', () => {
  let now = 0;
  const history = new CallHistory({ now: () => now });
  history.add(record());
  now = 59 * MINUTE;
  expect(history.read().periods).toHaveLength(1);
  now = 60 * MINUTE;
  expect(history.read()).toMatchObject({ periods: [], outcomes: {}, servers: [] });
});

it('has a bound: calls of further servers are counted, and not by server', () => {
  const history = new CallHistory({ now: () => 0, maxServers: 1 });
  history.add(record());
  history.add(record({ server: 'two' }));
  history.add(record({ server: 'two' }));
  const { servers, servers_left_out, periods } = history.read();
  expect([servers.length, servers_left_out, periods[0]?.count]).toEqual([1, 2, 3]);
});
