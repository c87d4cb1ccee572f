import type { SoakReport } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { SOAK_REPORTERS, soakLines } from './formats.js';

const report = (changes: Partial<SoakReport> = {}): SoakReport => ({
  format: 'plugboard.soak/1',
  version: '1.2.3',
  target: { label: 'http://server.test/mcp', transport: 'streamable-http' },
  era: 'legacy',
  startedAt: '2026-01-02T03:04:05.678Z',
  durationMs: 12_345,
  plan: { seconds: 60, warmUpSeconds: 1, rate: 50, concurrency: 2, churn: 1, churnMode: 'both' },
  call: { method: 'tools/call', tool: 'echo', note: 'The first tool was chosen.' },
  churned: { deleted: 3, abandoned: 4, refused: 0 },
  samples: [
    { at: 1_000, calls: 50, failed: 0, latency: 2, sessions: 0, rss: 50_000_000, handles: 20 },
    { at: 2_000, calls: 100, failed: 1, latency: 3, sessions: 0 },
  ],
  findings: [
    { metric: 'rss', verdict: 'grows', detail: 'grows by <1 kB per call' },
    { metric: 'handles', verdict: 'stable', detail: 'does not grow' },
    { metric: 'latency', verdict: 'undecided', detail: 'too few samples' },
    { metric: 'sessions', verdict: 'not-measured', detail: 'no session was ended' },
  ],
  violations: [{ kind: 'surplus-answer', count: 2, example: 'id 7' }],
  stoppedEarly: true,
  outcome: 'failed',
  ...changes,
});

const unreachable = report({
  call: undefined,
  samples: [],
  findings: [],
  violations: [],
  churned: { deleted: 0, abandoned: 0, refused: 0 },
  stoppedEarly: false,
  outcome: 'unreachable',
  reason: 'Connection refused.',
});

describe('the lines of a soak report', () => {
  it('have the subject, the note, the course, each finding, each violation and the outcome', () => {
    expect(soakLines(report()).map(({ tone, text }) => [tone, text])).toEqual([
      ['plain', 'http://server.test/mcp over streamable-http (legacy era)'],
      ['fair', 'The first tool was chosen.'],
      [
        'plain',
        '100 calls of tools/call echo, 1 failed, 3 sessions ended with DELETE and 4 without, in 12 s (stopped early: certain).',
      ],
      ['bad', '✗ memory: grows by <1 kB per call'],
      ['good', '✓ handles: does not grow'],
      ['fair', '? latency: too few samples'],
      ['dim', '– ended sessions: no session was ended'],
      ['bad', '✗ 2 requests that were answered more than once. First: id 7'],
      ['bad', 'failed'],
    ]);
  });

  it('give the reason with the outcome', () => {
    expect(soakLines(unreachable).at(-1)).toEqual({
      indent: 0,
      tone: 'fair',
      text: 'unreachable: Connection refused.',
    });
    expect(soakLines(report({ outcome: 'passed' })).at(-1)?.tone).toBe('good');
  });
});

describe('the files of a soak report', () => {
  it('are JSON that reads back as the report', () => {
    expect(JSON.parse(SOAK_REPORTERS.json(report()))).toEqual(report());
  });

  it('are Markdown with a heading and a list', () => {
    const text = SOAK_REPORTERS.md(report());
    expect(text).toMatch(/^## .*: failed\n/u);
    expect(text).toContain('- ✓ handles: does not grow');
    expect(text).toContain('- ✗ 2 requests that were answered more than once. First: id 7');
    expect(SOAK_REPORTERS.md(unreachable)).toContain('Connection refused.');
  });

  it('are JUnit with a failure for each leak and violation, and a skipped case for what is open', () => {
    const text = SOAK_REPORTERS.xml(report());
    expect(text).toContain('tests="5" failures="2" errors="0" skipped="2" time="12.345"');
    expect(text).toContain('timestamp="2026-01-02T03:04:05"');
    expect(text.match(/<failure /gu)).toHaveLength(2);
    expect(text.match(/<skipped /gu)).toHaveLength(2);
  });

  it('are JUnit with a failure when most calls failed', () => {
    const failed = report({
      findings: [],
      violations: [],
      reason: '60 of 100 calls failed.',
      errors: { 'HTTP 500': 60 },
    });
    const text = SOAK_REPORTERS.xml(failed);
    expect(text).toContain('tests="1" failures="1" errors="0"');
    expect(text).toContain('message="60 of 100 calls failed."');
    for (const written of [SOAK_REPORTERS.md(failed), SOAK_REPORTERS.html(failed)]) {
      expect(written).toContain('60 × HTTP 500');
    }
  });

  it('are JUnit with an error when the target could not be reached', () => {
    const text = SOAK_REPORTERS.xml(unreachable);
    expect(text).toContain('tests="1" failures="0" errors="1" skipped="0"');
    expect(text).toContain('message="Connection refused."');
  });

  it('are HTML with three charts and escaped details', () => {
    const text = SOAK_REPORTERS.html(report());
    for (const title of ['Memory', 'Handles', 'Latency, median']) expect(text).toContain(title);
    expect(text).toContain('<li class="fail">✗ memory: grows by &lt;1 kB per call</li>');
    expect(text).toContain('<li class="pass">✓ handles: does not grow</li>');
    expect(SOAK_REPORTERS.html(unreachable)).toContain('<strong>Connection refused.</strong>');
  });
});
