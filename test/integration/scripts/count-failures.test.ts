import { expect, it } from 'vitest';
import { countFailures } from '../../../scripts/count-failures.mjs';

const report = (numFailedTests: number, success = numFailedTests === 0) => ({ numFailedTests, success });
const found = (...failures: readonly string[]) => ({ failures });

it.each([
  ['nothing', report(0), found(), 0],
  ['tests', report(2), found('one', 'another'), 2],
  ['an error outside of any test', report(0), found('outside'), 1],
  ['an error outside of any test, beside a test', report(1), found('one', 'outside'), 2],
  ['a failure without a name', report(0, false), found(), 1],
  ['a run without a report', undefined, found(), 1],
  ['a run without a list of failures', report(0), undefined, 1],
])('counts %s', (_what, result, failures, expected) => {
  expect(countFailures(result, failures)).toBe(expected);
});
