import type { CheckReport } from '@plugboard/contract';
import { memoryNetwork, MutantServer, type Mutation } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { CHECKS } from '../checks/registry.js';
import { checkTarget } from '../target/target.js';
import { runCell } from '../test-support/cell.js';
import { runChecks } from './run-checks.js';
import { exitCodeOf } from './summary.js';

const LEGACY: Pick<Mutation, 'options'> = { options: (options) => ({ ...options, eras: 'legacy' }) };

const verdicts = ({ results }: CheckReport, verdict: string): readonly string[] =>
  results.filter((result) => result.verdict === verdict).map(({ id }) => id);

describe('a server that leaves a request without an answer', () => {
  test.each(['stdio', 'streamable-http'] as const)('fails once over %s, whichever checks ask', async (transport) => {
    const silent: Mutation = {
      ...LEGACY,
      toServer: (message) => (message['method'] === 'prompts/list' ? undefined : message),
      http: {
        answer: ({ body }) =>
          body.includes('"prompts/list"')
            ? { status: 200, headers: { 'content-type': 'text/event-stream' }, body: ': nothing\n\n' }
            : undefined,
      },
    };
    const report = await runCell(new MutantServer(silent), transport, {
      checks: CHECKS.filter(({ id }) => /^(?:PRM-|CMP-|LIF-29|LIF-27|TOL-01)/u.test(id)),
      target: { budgets: { requestMs: 250 } },
      network: memoryNetwork(),
    });
    expect(verdicts(report, 'fail')).toEqual(['LIF-29']);
    const silence = report.results.find(({ id }) => id === 'LIF-29');
    expect(silence?.detail).toContain('prompts/list');
    expect(verdicts(report, 'not-verified')).toEqual(expect.arrayContaining(['PRM-01', 'PRM-02']));
    expect(verdicts(report, 'pass')).toEqual(expect.arrayContaining(['TOL-01', 'LIF-27']));
  });
});

describe('a run that is cancelled', () => {
  test('tells of nothing that it did not establish', async () => {
    const cancelled = new AbortController();
    const hanging: Mutation = {
      ...LEGACY,
      // By now several checks wait for an answer that will never come.
      toServer: (message) => {
        if (message['method'] !== 'tools/list') return message;
        setTimeout(() => cancelled.abort(), 50);
        return undefined;
      },
    };
    const server = new MutantServer(hanging);
    const target = checkTarget.parse({ command: ['in-process'], seed: 1, tier: 'full' });
    const report = await runChecks(target, {
      checks: CHECKS,
      version: '0.0.0',
      signal: cancelled.signal,
      launch: () => server.launch(),
    });
    await server.close();
    expect(verdicts(report, 'fail')).toEqual([]);
    expect(report.outcome).toBe('not-examined');
    // What the run did not come to is told of as well.
    const judged = new Set(report.results.map(({ id }) => id));
    expect(CHECKS.filter(({ id, tier }) => tier !== 'intrusive' && !judged.has(id)).map(({ id }) => id)).toEqual([]);
    expect(verdicts(report, 'not-verified').length).toBeGreaterThan(100);
  });
});

describe('a server that ends in the middle of a run', () => {
  const dying: Mutation = {
    ...LEGACY,
    dies: ({ method }) => method === 'completion/complete',
  };

  const judged = (target: object): Promise<CheckReport> =>
    runCell(new MutantServer(dying), 'streamable-http', {
      checks: CHECKS.filter(({ id }) => /^(?:TOL-1|CMP-01|LIF-29|LIF-27)/u.test(id)),
      target: { ...target, budgets: { requestMs: 500, concurrency: 1 } },
      network: memoryNetwork(),
    });

  test.each([{ failOn: 'never' }, { baseline: ['LIF-29'] }])('never passes, with %j', async (target) => {
    const report = await judged(target);
    expect(report.outcome).toBe('failed');
    expect(exitCodeOf(report)).toBe(1);
    expect(report.summary.rate).toBeNull();
  });

  test('is told of with the request that was last', async () => {
    const { results } = await judged({});
    expect(results.find(({ id }) => id === 'LIF-29')?.detail).toMatch(
      /^The last requests? (?:was|were) completion\/complete\b.*\. Nothing answers at http:\S+ any longer\./u,
    );
  });

  test('still has an account of what was called', async () => {
    const { calls = [] } = await judged({});
    const called = calls.filter(({ calls: count }) => count > 0);
    expect(called.map(({ kind }) => kind)).toContain('tool');
    expect(calls.filter(({ may }) => !may).every(({ why }) => why !== '')).toBe(true);
  });
});
