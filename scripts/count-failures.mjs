/**
 * How many failures a run of vitest had: its report counts tests only, so that an error outside of any test would pass. A run
 * that left no report, or a failure that nobody counted, is one. `result` is the report of vitest, `found` that of
 * failures-reporter.mjs.
 */
export const countFailures = (result, found) =>
  result === undefined || found === undefined
    ? 1
    : Math.max(result.numFailedTests, found.failures.length, result.success ? 0 : 1);
