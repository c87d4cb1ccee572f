import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newerNode, programFile } from '../../support/test-program.js';
import { runProgram } from '../../support/run-program.js';
import type { Check, ScenarioOutcome } from './outcome.js';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];
type Side = 'server' | 'client';

const PACKAGE = '@modelcontextprotocol/conformance';
/** A whole run takes five to ten seconds; a scenario that hangs is given up by the suite after 30. */
const DEADLINE_MS = 240_000;

/** The lists of a requirement file: `server:` and `client:`, each followed by `  - name`. */
export const requiredScenarios = (revision: Revision, side: Side): readonly string[] => {
  const lines = readFileSync(programFile(`${PACKAGE}/requirements/${revision}.yaml`), 'utf8').split('\n');
  const start = lines.indexOf(`${side}:`);
  const list = lines.slice(start + 1);
  const end = list.findIndex((line) => /^\w/u.test(line));
  return list.slice(0, end === -1 ? undefined : end).flatMap((line) => /^\s+- (\S+)/u.exec(line)?.[1] ?? []);
};

const foldersIn = (folder: string, prefix = ''): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const nested = foldersIn(join(folder, name), `${prefix}${name}/`);
      return nested.length > 0 ? nested : [prefix + name];
    });

/** `server-tools-list-2026-11-16T04-25-23-851Z` and `auth/iss-supported-2026-…` name their scenarios. */
const scenarioOf = (folder: string, side: Side): string =>
  folder.slice(side === 'server' ? 'server-'.length : 0).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/u, '');

const readOutcomes = (folder: string, side: Side, required: ReadonlySet<string>): readonly ScenarioOutcome[] => {
  const found = foldersIn(folder).map((name): ScenarioOutcome => {
    const file = join(folder, name, 'checks.json');
    const scenario = scenarioOf(name, side);
    const checks = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Check[]) : [];
    return { name: scenario, required: required.has(scenario), checks };
  });
  const missing = [...required].filter((name) => !found.some((outcome) => outcome.name === name));
  return [...found, ...missing.map((name) => ({ name, required: true, checks: [] }))];
};

interface SuiteRun {
  readonly outcomes: readonly ScenarioOutcome[];
  /** 0: no required scenario failed; of one client scenario also: no warning, and the client ended well. */
  readonly code: number | null;
  readonly output: string;
}

const runSuite = async (side: Side, args: readonly string[], required: ReadonlySet<string>): Promise<SuiteRun> => {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-conformance-'));
  try {
    const { code, stderr, stdout } = await runProgram({
      command: newerNode(),
      args: [programFile(`${PACKAGE}/dist/index.js`), side, ...args, '--output-dir', folder],
      cwd: folder,
      deadlineMs: DEADLINE_MS,
    });
    const outcomes = readOutcomes(folder, side, required);
    const output = stdout + stderr;
    if (outcomes.every(({ checks }) => checks.length === 0)) throw new Error(`The suite checked nothing.\n${output}`);
    return { outcomes, code, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Every server scenario of the revision, required or not, against this URL. */
export const runServerSuite = async (url: string, revision: Revision): Promise<readonly ScenarioOutcome[]> => {
  const required = new Set(requiredScenarios(revision, 'server'));
  const { outcomes } = await runSuite('server', ['--url', url, '--requirements', revision], required);
  return outcomes;
};

/** One client scenario of the revision: the suite starts a server and runs the command with its URL at the end. */
export const runClientScenario = (command: string, revision: Revision, scenario: string): Promise<SuiteRun> => {
  const args = ['--command', command, '--scenario', scenario, '--spec-version', revision, '--timeout', '60000'];
  return runSuite('client', args, new Set([scenario]));
};
