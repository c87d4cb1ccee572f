// The official conformance suite on one server behind HTTP: which of its checks fail.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepare, serve } from './launch.mjs';

const PROGRAMS = path.join(import.meta.dirname, '..', '..', 'test', 'programs', 'node_modules');
const SUITE = path.join(PROGRAMS, '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const NODE = path.join(PROGRAMS, `node-${process.platform}-${process.arch}`, 'bin', 'node');
const SUITE_MS = 240_000;

/** Scenarios that call tools, read resources or get prompts which only a server made for the suite has. */
const OF_FIXTURES =
  /^(?:tools-call-|resources-read-|resources-templates-read|prompts-get-|elicitation-|completion-complete|json-schema-|server-sse-polling|caching|input-required|tasks|http-custom|http-header)/u;

const nodeOf = () => (existsSync(NODE) ? NODE : process.execPath);

const runSuite = ({ url, mark }, revision, folder) =>
  new Promise((resolve) => {
    const args = [SUITE, 'server', '--url', url, '--requirements', revision, '--output-dir', folder];
    const env = { ...process.env, ...mark };
    spawn(nodeOf(), args, { stdio: 'ignore', timeout: SUITE_MS, env }).once('close', resolve).once('error', resolve);
  });

const scenariosIn = (folder) =>
  readdirSync(folder).map((name) => {
    const file = path.join(folder, name, 'checks.json');
    const scenario = name.replace(/^server-/u, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/u, '');
    return { scenario, checks: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [] };
  });

/** Failed checks of scenarios that any server can pass, and how many scenarios want the suite's own fixtures. */
export const officialSuite = async (server, revision = '2025-11-25') => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plugboard-suite-'));
  const prepared = await prepare(server);
  let running;
  try {
    running = await serve(prepared);
    await runSuite(prepared, revision, folder);
    const scenarios = scenariosIn(folder);
    // A suite that never ran would look like one that finds nothing.
    if (scenarios.length === 0) {
      throw new Error('The official suite did not run. Is it installed? node scripts/install-test-programs.mjs');
    }
    const open = scenarios.filter(({ scenario }) => !OF_FIXTURES.test(scenario));
    const failed = open.flatMap(({ checks }) =>
      checks
        .filter(({ status }) => status === 'FAILURE')
        .map(({ id, errorMessage }) => ({ id, message: String(errorMessage ?? '').slice(0, 200) })),
    );
    return { applicable: open.length, fixtures: scenarios.length - open.length, failed };
  } finally {
    running?.stop();
    prepared.remove();
    await rm(folder, { recursive: true, force: true });
  }
};
