import type { CheckReport, CheckResult } from '@plugboard/contract';
import { beforeAll, describe, test } from 'vitest';
import { CHECKS } from './checks/registry.js';
import type { Launch } from './connection/child.js';
import { isWanted } from './plan/plan.js';
import { runChecks } from './run/run-checks.js';
import { failsRun } from './run/summary.js';
import { checkTarget, type CheckTarget, type CheckTargetInput } from './target/target.js';

export interface ComplianceOptions {
  /** Environment of a program besides that of the target: PATH and the like. */
  readonly baseEnv?: Readonly<Record<string, string>>;
  readonly launch?: Launch;
  readonly version?: string;
  /** Where the server is, when only the test finds out: it may start one and give its URL. */
  readonly address?: () => Promise<Pick<CheckTarget, 'url' | 'command'>>;
}

const story = ({ id, era, detail, evidence, source }: CheckResult): string =>
  [
    `${id} (${era}): ${detail ?? ''}`,
    ...(evidence === undefined ? [] : [`expected: ${evidence.expected}`, `received: ${evidence.received}`]),
    ...(evidence?.reproduce === undefined ? [] : [evidence.reproduce]),
    `“${source.sentence}” ${source.url}`,
  ].join('\n');

/**
 * Turns the suite into tests of vitest, one per check. What does not apply or could not be verified is skipped, with
 * the reason.
 *
 * @example
 * describeCompliance('my server', { command: ['node', 'server.js'], tier: 'smoke' }, { baseEnv: { PATH: '/usr/bin' } });
 */
export const describeCompliance = (
  name: string,
  input: CheckTargetInput,
  { address, version = '0', ...options }: ComplianceOptions = {},
): void => {
  const target = checkTarget.parse(input);
  const wanted = CHECKS.filter((check) => isWanted(check, target));
  describe(`${name} complies`, () => {
    let report: CheckReport | undefined;
    beforeAll(async () => {
      const place = await address?.();
      report = await runChecks({ ...target, ...place }, { checks: wanted, version, ...options });
    }, target.budgets.runMs);
    test('can be examined', ({ expect }) => {
      expect(report?.reason).toBeUndefined();
      expect(report?.staleBaseline).toEqual([]);
    });
    for (const { id, title } of wanted) {
      test(`${id} ${title}`, ({ expect, skip }) => {
        const results = report?.results.filter((result) => result.id === id) ?? [];
        const failures = results.filter((result) => failsRun(result, target.failOn));
        expect(failures.map(story).join('\n\n')).toBe('');
        const judged = results.some(({ verdict }) => verdict === 'pass' || verdict === 'warn');
        if (!judged) skip(results[0]?.detail ?? 'It was not carried out.');
      });
    }
  });
};
