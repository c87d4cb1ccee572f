import type { MonitoredServer } from '@plugboard/contract';
import { expect, it } from 'vitest';
import {
  availabilityWords,
  budgetWords,
  burnWords,
  daysWords,
  expiryOf,
  inOrder,
  latencyWords,
  probeState,
  worstFirst,
} from './probe-words.js';

it('states, shares and budgets in words', () => {
  expect(probeState('down')).toEqual({ tone: 'bad', word: 'down' });
  expect([null, 1, 0.985].map(availabilityWords)).toEqual(['–', '100 %', '98.5 %']);
  expect([null, 0.4, -2, 1].map((left) => budgetWords({ budget_left: left }))).toEqual([
    '–',
    '40.0 % left',
    'used up',
    '100 % left',
  ]);
  expect(burnWords({ burn: { hour: 14.44, six_hours: null } })).toBe('14 × in the last hour, – in six hours');
});

it('the steps of a probe are in their order', () => {
  const series = [{ method: 'tools/call', tool: 'b' }, { method: 'tools/call', tool: 'a' }, { method: 'tools/list' }];
  expect(inOrder([...series, { method: 'handshake' }]).map(({ method, tool }) => `${method} ${tool ?? ''}`)).toEqual([
    'handshake ',
    'tools/list ',
    'tools/call a',
    'tools/call b',
  ]);
});

it('a step that only failed has no latency', () => {
  const series = { count: 2, failed: 1, p50_ms: 3, p95_ms: 4, p99_ms: 5, max_ms: 6 };
  expect(latencyWords(series, 'p95_ms')).toBe('4.0 ms');
  expect([latencyWords({ ...series, failed: 2 }, 'p50_ms'), latencyWords(undefined, 'p50_ms')]).toEqual(['–', '–']);
});

it('the servers worst off come first', () => {
  const server = (server_name: string, state: MonitoredServer['state'], availability: number | null) =>
    ({ server_name, state, availability }) as MonitoredServer;
  const servers = [server('b', 'up', 1), server('a', 'up', 1), server('c', 'up', 0.5), server('d', 'down', 0)];
  const names = worstFirst([server('e', 'not-probed', null), ...servers]).map(({ server_name }) => server_name);
  expect(names).toEqual(['d', 'c', 'a', 'b', 'e']);
});

it('what expires is good until somebody must act', () => {
  const now = Date.parse('2026-11-18T00:00:00Z');
  const certificate = { expires_at: '2026-11-20T00:00:00.000Z', days_left: 2 };
  const token = { expires_at: '2026-11-18T01:00:00.000Z', renewable: true };
  expect(expiryOf({ certificate, token }, now)).toEqual([
    { what: 'TLS certificate', days: 2, tone: 'bad' },
    { what: 'OAuth token, renewed automatically', days: 0, tone: 'good' },
  ]);
  expect(expiryOf({ certificate: null, token: { ...token, renewable: false } }, now)[0]?.tone).toBe('bad');
  expect([-1, 0, 1, 9].map(daysWords)).toEqual(['expired', 'ends today', '1 day left', '9 days left']);
});
