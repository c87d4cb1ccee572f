import type { CheckReport, CheckResult } from '@plugboard/contract';
import { summarise } from '../run/summary.js';

export const aResult = (members: Partial<CheckResult> = {}): CheckResult => ({
  id: 'LIF-01',
  title: 'initialize is answered',
  family: 'lifecycle',
  level: 'MUST',
  tier: 'smoke',
  transport: 'stdio',
  era: 'legacy',
  verdict: 'pass',
  source: { sentence: 'The server MUST answer.', url: 'https://example.com/spec#answer' },
  remedy: 'Answer.',
  durationMs: 12,
  ...members,
});

export const aFailure = (text: string, members: Partial<CheckResult> = {}): CheckResult =>
  aResult({
    id: 'RPC-02',
    family: 'json-rpc',
    verdict: 'fail',
    title: `title ${text}`,
    detail: `detail ${text}`,
    remedy: `remedy ${text}`,
    source: { sentence: `sentence ${text}`, url: 'https://example.com/spec' },
    evidence: {
      sent: `sent ${text}`,
      received: `received ${text}`,
      expected: `expected ${text}`,
      reproduce: `printf '%s' ${text}`,
      transcript: [{ at: 1, connection: 1, direction: 'sent', text }],
    },
    ...members,
  });

export const aReport = (results: readonly CheckResult[], members: Partial<CheckReport> = {}): CheckReport => ({
  format: 'plugboard.check/1',
  version: '1.2.3',
  target: { label: 'node server.js', transport: 'stdio' },
  server: { name: 'sample', version: '4.5.6', eras: ['legacy'], revisions: ['2025-11-25'] },
  startedAt: '2026-01-02T03:04:05.678Z',
  durationMs: 1_234,
  seed: 42,
  tier: 'standard',
  failOn: 'must',
  results: [...results],
  summary: summarise(results),
  staleBaseline: [],
  outcome: results.some(({ verdict }) => verdict === 'fail') ? 'failed' : 'passed',
  ...members,
});
