import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CheckEra, CheckReport, CheckTier, ExitCode } from '@plugboard/contract';
import {
  CHECKS,
  type CheckTarget,
  checkTarget,
  DIFFERENTIAL_CHECKS,
  exitCodeOf,
  FAMILIES,
  runChecks,
} from '@plugboard/check';
import { childEnvironment } from '@plugboard/client';
import { VERSION } from '../../process/version.js';
import { checkInHub, type HubCheckOptions } from './check-in-hub.js';
import { withOtherWay } from './check-against.js';
import { checkProgress } from './check-progress.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { checkForms, reportWords } from './check-report.js';
import { sourceLocation } from './check-location.js';
import { keepRun } from '../../referee/run-store.js';
import { readCheckTarget } from './check-target.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import { withDefaultTarget, withTimeout } from '../server-flags/framework-environment.js';
import type { CommandContext } from '../command/command-context.js';
import { didYouMean } from '../../terminal/did-you-mean.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface CheckInput extends AddressFlags {
  readonly tier?: CheckTier | undefined;
  readonly era?: CheckEra | undefined;
  readonly suite: readonly string[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly seed?: number | undefined;
  readonly failOn?: CheckTarget['failOn'] | undefined;
  /** Tell the plan, and call nothing. */
  readonly dryRun: boolean;
  readonly baseline?: string | undefined;
  readonly allow: readonly string[];
  /** Another way to the same server, or an era of it. */
  readonly against?: string | undefined;
  readonly report: readonly string[];
  readonly verbose: boolean;
  /** Whether the run is kept for `check history`. */
  readonly keep: boolean;
}

const words = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split(',')).filter(Boolean);

const suites = (named: readonly string[]): readonly string[] =>
  words(named).map((name) => {
    if (Object.hasOwn(FAMILIES, name)) return name;
    throw invalidArgument(
      `"${name}" is not a suite.`,
      didYouMean(name, Object.keys(FAMILIES), `Known: ${Object.keys(FAMILIES).join(', ')}.`),
    );
  });

const wanted = (patterns: readonly string[]): readonly string[] =>
  words(patterns).map((pattern) => {
    const id = pattern.toUpperCase();
    const known = [...CHECKS, ...DIFFERENTIAL_CHECKS].some((check) =>
      id.endsWith('*') ? check.id.startsWith(id.slice(0, -1)) : check.id === id,
    );
    if (known) return id;
    throw invalidArgument(
      `There is no check "${pattern}".`,
      'docs/checks.md lists them; TOL-* selects all whose ids begin with TOL-.',
    );
  });

/** `name`, or `name={"json":"arguments"}`. */
const allowed = (entries: readonly string[]): CheckTarget['tools'] =>
  Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=');
      const name = at === -1 ? entry : entry.slice(0, at);
      try {
        const given = at === -1 ? {} : { arguments: JSON.parse(entry.slice(at + 1)) as Record<string, unknown> };
        return [name, { safe: true, ...given }];
      } catch {
        throw invalidArgument(`The arguments for ${name} are not JSON.`, `--allow '${name}={"key":"value"}'`);
      }
    }),
  );

const baselineOf = async (file: string | undefined, cwd: string): Promise<readonly string[]> => {
  if (file === undefined) return [];
  const text = await readFile(resolve(cwd, file), 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw invalidArgument(
      `The baseline ${file} cannot be read.`,
      'It contains one id per line, optionally followed by @legacy or @modern.',
    );
  }
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/#.*$/u, '')
        .replace(/^\s*-\s*/u, '')
        .trim(),
    )
    .filter((line) => line !== '');
};

/** Flags count more than the environment, and the environment more than the file. */
const withFlags = async (
  target: CheckTarget,
  input: CheckInput,
  { cwd, env }: Pick<CommandContext['process'], 'cwd' | 'env'>,
): Promise<CheckTarget> =>
  checkTarget.parse({
    ...target,
    budgets: withTimeout(target.budgets, env),
    tools: { ...target.tools, ...allowed(input.allow) },
    tier: input.tier ?? target.tier,
    dryRun: input.dryRun || target.dryRun,
    era: input.era ?? target.era,
    failOn: input.failOn ?? target.failOn,
    seed: input.seed ?? target.seed,
    suites: input.suite.length === 0 ? target.suites : suites(input.suite),
    only: input.only.length === 0 ? target.only : wanted(input.only),
    skip: [...target.skip, ...wanted(input.skip)],
    baseline: [...target.baseline, ...(await baselineOf(input.baseline, cwd))],
  });

/** A run that cannot be kept is worth a remark, not a failure. */
const keep = async ({ settings, out }: CommandContext, report: CheckReport): Promise<void> => {
  try {
    await keepRun((await settings()).home, report);
  } catch {
    out.note('The run could not be stored in the history.');
  }
};

const isRegistered = (side: CheckTarget | CheckTarget['differential']): boolean =>
  side?.name !== undefined && side.url === undefined && side.command === undefined;

/** The file that describes the target, for lines that repeat a check. */
const fileOf = ({ url, command }: CheckTarget, { target: [first] }: CheckInput): string | undefined =>
  first === undefined || first === url || first === command?.[0] ? undefined : first;

/** What is registered is examined by the hub, everything else by this program. */
const judge = async (
  context: CommandContext,
  target: CheckTarget,
  { onEvent, keep: kept, from }: HubCheckOptions & { readonly from: string | undefined },
): Promise<CheckReport> => {
  if ([target, target.differential].some((side) => isRegistered(side))) {
    return await checkInHub(context, target, { onEvent, keep: kept });
  }
  const { process } = context;
  const report = await runChecks(target, {
    checks: CHECKS,
    version: VERSION,
    signal: process.signal,
    baseEnv: childEnvironment({ inherited: process.env }),
    from,
    onEvent,
  });
  if (kept && report.results.length > 0) await keep(context, report);
  return report;
};

export const run = async (context: CommandContext, given: CheckInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(checkForms(), given.report);
  const input = withDefaultTarget(given, process.env);
  const flagged = await withFlags(await readCheckTarget(context, input), input, process);
  const target = input.against === undefined ? flagged : await withOtherWay(context, flagged, input.against);
  const progress = checkProgress(process.stderr, !out.json && !out.quiet);
  const report = await judge(context, target, {
    onEvent: progress.onEvent,
    keep: input.keep,
    from: fileOf(target, input),
  }).finally(progress.end);
  const location = await sourceLocation(target, input.target[0], process.cwd);
  await writeReportFiles(context, report, checkForms(location), input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(reportWords(report, input.verbose, out));
  return exitCodeOf(report);
};
