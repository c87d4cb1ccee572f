import type { CheckReport, CheckTransport } from '@plugboard/contract';
import { type MutantServer, referenceServer } from '@plugboard/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runChecks } from '../run/run-checks.js';
import { checkTarget, type CheckTargetInput } from '../target/target.js';
import { DIFFERENTIAL_CHECKS } from './differential-checks.js';

const addressOf = async (server: MutantServer, transport: CheckTransport) => {
  onTestFinished(() => server.close());
  if (transport === 'stdio') return { command: ['in-process'] };
  return transport === 'sse'
    ? { url: (await server.listenSse()).url, transport }
    : { url: (await server.listenHttp()).url, transport };
};

/** With arguments for which they are quick. */
const TOOLS = {
  sleep: { arguments: { ms: 5 } },
  progress: { arguments: { steps: 2 } },
};
const BUDGETS = { quietMs: 20, requestMs: 5_000, startMs: 5_000, concurrency: 8 };

const compare = (target: CheckTargetInput, program?: MutantServer): Promise<CheckReport> =>
  runChecks(checkTarget.parse({ seed: 1, budgets: BUDGETS, tools: TOOLS, ...target }), {
    checks: [],
    version: '0.0.0',
    ...(program === undefined ? {} : { launch: () => program.launch() }),
  });

const red = ({ results }: CheckReport): readonly string[] =>
  results
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map(({ id, detail }) => `${id}: ${detail ?? ''}`);

const judgedIn = ({ results }: CheckReport, era: string): readonly string[] =>
  results.filter((result) => result.era === era && result.verdict === 'pass').map(({ id }) => id);

const ALL = DIFFERENTIAL_CHECKS.map(({ id }) => id);

describe('two ways to the same server', () => {
  test('stdio and Streamable HTTP are the same, in both eras', async () => {
    const program = referenceServer();
    const here = await addressOf(program, 'stdio');
    const report = await compare(
      { ...here, differential: await addressOf(referenceServer(), 'streamable-http') },
      program,
    );
    expect(red(report)).toEqual([]);
    expect(judgedIn(report, 'legacy')).toEqual(ALL);
    expect(judgedIn(report, 'modern')).toEqual(ALL);
    expect(report.outcome).toBe('passed');
  });

  test('Streamable HTTP and HTTP+SSE are the same', async () => {
    const here = await addressOf(referenceServer(), 'streamable-http');
    const report = await compare({ ...here, differential: await addressOf(referenceServer(), 'sse') });
    expect(red(report)).toEqual([]);
    expect(judgedIn(report, 'legacy')).toEqual(ALL);
  });

  test('the eras of one server are the same', async () => {
    const report = await compare({
      ...(await addressOf(referenceServer(), 'streamable-http')),
      differential: { era: 'modern' },
    });
    expect(red(report)).toEqual([]);
    expect(judgedIn(report, 'both')).toEqual(ALL);
  });

  test('a legacy and a modern server are compared across the eras', async () => {
    const here = await addressOf(referenceServer('legacy'), 'streamable-http');
    const report = await compare({
      ...here,
      differential: await addressOf(referenceServer('modern'), 'streamable-http'),
    });
    expect(red(report)).toEqual([]);
    expect(judgedIn(report, 'both')).toEqual(ALL);
  });
});
