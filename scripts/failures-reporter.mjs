// A vitest reporter that writes to the file that FAILURES_FILE names: what failed, errors that belong to no test, and tests
// that passed at the second try only. The summary at the end of a run shows them: their place may be thousands of lines above.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const firstLines = (text, count = 3) => `${text ?? 'no message'}`.split('\n').slice(0, count).join('\n');

// Modules that did not load and suites whose hooks threw have errors of their own, beside those of tests.
const failuresOf = (module) => {
  const file = relative(process.cwd(), module.moduleId);
  const tests = [...module.children.allTests('failed')];
  const suites = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  return [...suites, ...tests].map((entry) => ({
    name: entry === module ? file : `${file} > ${entry.fullName}`,
    message: firstLines((entry.type === 'test' ? entry.result().errors : entry.errors())[0]?.message),
  }));
};

const secondTriesOf = (module) =>
  [...module.children.allTests('passed')]
    .filter((test) => test.diagnostic()?.flaky === true)
    .map((test) => ({
      name: `${relative(process.cwd(), module.moduleId)} > ${test.fullName}`,
      message: firstLines(test.result().errors?.[0]?.message),
    }));

const failureOf = (error) => ({
  name: `outside of any test${error.VITEST_TEST_PATH ? `, near ${error.VITEST_TEST_PATH}` : ''}`,
  message: firstLines(error.stack ?? error.message, 6),
});

export default class FailuresReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const failures = [...modules.flatMap(failuresOf), ...unhandledErrors.map(failureOf)];
    const secondTries = modules.flatMap(secondTriesOf);
    writeFileSync(process.env.FAILURES_FILE, JSON.stringify({ failures, secondTries }));
  }
}
