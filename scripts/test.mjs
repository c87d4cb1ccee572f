// Runs every stage of the test suite in order, and ends with its counts. One stage: `npm test -- unit`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countFailures } from './count-failures.mjs';

const bin = (name) => join('node_modules', '.bin', name);
const PROJECTS = ['architecture', 'unit', 'integration', 'e2e', 'browser'];
// A fall below means that something new is untested.
const COVERAGE_FLOOR = { unit: 90, integration: 80, overall: 85 };

// On two cores. Tests that speak to processes and sockets wait for others more than they work, and three quarters of the
// unit stage are waits for servers that stay silent on purpose.
const WORKERS = { unit: 4, integration: 3, e2e: 2, browser: 2 };

// These start real programs and browsers, and a machine that stalls for seconds can fail one. Such a test gets a second try, and
// the summary names it: it is a defect of the test or of the product, to be looked into.
const WITH_SECOND_TRY = new Set(['integration', 'e2e', 'browser']);

const reports = mkdtempSync(join(tmpdir(), 'plugboard-tests-'));
/** @typedef {{ name: string, message: string }} Finding */
/** @type {{ passed: number, failed: number, lines: string[], failures: Finding[], secondTries: Finding[] }} */
const outcome = { passed: 0, failed: 0, lines: [], failures: [], secondTries: [] };

const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;

const note = (name, ok, started, remark = '') => {
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  outcome.lines.push(`  ${ok ? 'ok    ' : 'FAILED'} ${name.padEnd(13)} ${seconds.padStart(6)} s  ${remark}`);
};

/** A stage that is one verdict: it counts as one test. */
const stage = (name, commands) => {
  const started = Date.now();
  const ok = commands.every(([command, ...args]) => run(bin(command), args));
  outcome[ok ? 'passed' : 'failed'] += 1;
  note(name, ok, started);
};

const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);

const coverageOf = (directory) => readJson(join(directory, 'coverage-summary.json'))?.total.lines.pct;

const checkCoverage = (name, directory) => {
  const reached = coverageOf(directory) ?? 0;
  const ok = reached > COVERAGE_FLOOR[name];
  outcome[ok ? 'passed' : 'failed'] += 1;
  return `${reached} % of lines${ok ? '' : `, which is not above ${COVERAGE_FLOOR[name]} %`}`;
};

const project = (name) => {
  const started = Date.now();
  const json = join(reports, `${name}.json`);
  const directory = join('coverage', name);
  const measured = name in COVERAGE_FLOOR;
  const failures = join(reports, `${name}-failures.json`);
  const args = [
    'run',
    '--project',
    name,
    ...(name in WORKERS ? [`--maxWorkers=${WORKERS[name]}`] : []),
    ...(WITH_SECOND_TRY.has(name) ? ['--retry=1'] : []),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${json}`,
    '--reporter=blob',
    `--outputFile.blob=${join(reports, 'blob', `${name}.json`)}`,
    '--reporter=./scripts/failures-reporter.mjs',
    ...(measured ? ['--coverage', `--coverage.reportsDirectory=${directory}`] : []),
  ];
  run(bin('vitest'), args, { FAILURES_FILE: failures });
  const result = readJson(json);
  const found = readJson(failures);
  const secondTries = found?.secondTries ?? [];
  outcome.failures.push(...(found?.failures ?? []));
  outcome.secondTries.push(...secondTries);
  const failed = countFailures(result, found);
  outcome.passed += result?.numPassedTests ?? 0;
  outcome.failed += failed;
  const coverage = measured ? `, ${checkCoverage(name, directory)}` : '';
  const tries = secondTries.length > 0 ? `, ${secondTries.length} at the second try` : '';
  note(name, failed === 0, started, `${result?.numPassedTests ?? 0} passed, ${failed} failed${tries}${coverage}`);
};

const overall = () => {
  const started = Date.now();
  const directory = join('coverage', 'overall');
  run(bin('vitest'), [
    'run',
    `--merge-reports=${join(reports, 'blob')}`,
    '--reporter=dot',
    '--coverage',
    `--coverage.reportsDirectory=${directory}`,
  ]);
  const before = outcome.failed;
  const remark = checkCoverage('overall', directory);
  note('coverage', outcome.failed === before, started, remark);
};

const STAGES = {
  types: () =>
    stage('types', [
      ['tsc', '-b'],
      ['tsc', '-p', 'tsconfig.tests.json'],
    ]),
  lint: () => stage('lint', [['oxlint', '--type-aware', '--max-warnings', '0'], ['oxfmt', '--check', '.'], ['knip']]),
  ...Object.fromEntries(PROJECTS.map((name) => [name, () => project(name)])),
  coverage: overall,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in STAGES));
if (unknown.length > 0) {
  console.error(`Unknown stage: ${unknown.join(', ')}. Stages: ${Object.keys(STAGES).join(', ')}.`);
  process.exit(2);
}
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(STAGES)) STAGES[name]();
} finally {
  rmSync(reports, { recursive: true, force: true });
}
const show = (verdict, findings) => {
  for (const { name, message } of findings) {
    console.log(`\n  ${verdict} ${name}\n    ${message.replaceAll('\n', '\n    ')}`);
  }
};
show('SECOND TRY', outcome.secondTries);
show('FAILED', outcome.failures);
console.log(`\n${outcome.lines.join('\n')}\n\n${outcome.passed} passed, ${outcome.failed} failed`);
process.exitCode = outcome.failed === 0 ? 0 : 1;
