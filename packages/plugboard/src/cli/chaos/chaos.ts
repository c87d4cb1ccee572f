import { checkTarget, ClientProgram, exitCodeOf, FAULT_ROWS, runChaos, type ChaosSubject } from '@plugboard/check';
import { childEnvironment } from '@plugboard/client';
import { loadPlan, type CheckEra, type ExitCode } from '@plugboard/contract';
import { refuse } from '../command/invalid-argument.js';
import { VERSION } from '../../process/version.js';
import { calledTool } from '../bench/called-tool.js';
import { checkProgress } from '../check/check-progress.js';
import { checkForms, reportWords } from '../check/check-report.js';
import { readDirectTarget } from '../check/check-target.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { wordsOf } from '../input/words-of.js';
import { assertReportFiles, writeReportFiles } from '../render/report-files.js';
import { withDefaultTarget, withTimeout } from '../server-flags/framework-environment.js';
import { openHubUnderTest } from './hub-under-test.js';
import { ownProgram } from '../command/own-program.js';

export interface ChaosInput {
  readonly address: AddressFlags;
  readonly tool?: string | undefined;
  readonly era?: CheckEra | undefined;
  readonly subject: 'server' | 'hub';
  /** Where another hub offers the server. */
  readonly through?: string | undefined;
  readonly listen?: number | undefined;
  /** A program that calls tools with the client under examination. */
  readonly client?: string | undefined;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly seed?: number | undefined;
  readonly budget?: number | undefined;
  readonly report: readonly string[];
  readonly verbose: boolean;
}

const BUDGET_SECONDS = 5;

const rows = (patterns: readonly string[]): readonly string[] =>
  patterns
    .flatMap((text) => text.split(','))
    .filter(Boolean)
    .map((pattern) => {
      const id = pattern.toUpperCase();
      const known = FAULT_ROWS.some((row) => (id.endsWith('*') ? row.id.startsWith(id.slice(0, -1)) : row.id === id));
      return known ? id : refuse(`There is no row "${pattern}".`, 'docs/chaos.md lists them; RSL-1* selects several.');
    });

const subjectOf = (context: CommandContext, input: ChaosInput): ChaosSubject => {
  const { process } = context;
  const { client, through } = input;
  if ([client !== undefined, through !== undefined, input.subject === 'hub'].filter(Boolean).length > 1) {
    return refuse('--client, --through and --subject hub cannot be combined.', 'Run the suite once for each of them.');
  }
  if (client !== undefined) {
    const [command = '', ...args] = wordsOf(client);
    const env = childEnvironment({ inherited: process.env });
    return {
      kind: 'client',
      open: async (place) => new ClientProgram({ command, args, env, cwd: process.cwd }, place),
    };
  }
  if (through !== undefined) {
    if (input.listen === undefined) {
      return refuse('--through needs --listen.', 'The hub must know where the fault proxy listens: --listen 7001.');
    }
    return { kind: 'hub', open: async () => ({ url: through, close: async () => undefined }) };
  }
  return input.subject === 'hub'
    ? { kind: 'hub', open: (place) => openHubUnderTest(context, place) }
    : { kind: 'server' };
};

const subjectFlagsOf = ({ client, through, listen, subject }: ChaosInput): readonly string[] => {
  if (client !== undefined) return ['--client', client];
  if (through !== undefined) return ['--through', through, '--listen', String(listen)];
  return subject === 'hub' ? ['--subject', 'hub'] : [];
};

export const run = async (context: CommandContext, input: ChaosInput): Promise<ExitCode> => {
  const { out, process } = context;
  assertReportFiles(checkForms(), input.report);
  const only = rows(input.only);
  const skip = rows(input.skip);
  const subject = subjectOf(context, input);
  const given = await readDirectTarget(context, withDefaultTarget(input.address, process.env));
  const target = checkTarget.parse({
    ...given,
    era: input.era ?? given.era,
    budgets: withTimeout(given.budgets, process.env),
    seed: input.seed ?? given.seed,
    only: [...only],
    skip: [...skip],
    load: loadPlan.parse({
      ...given.load,
      ...(input.tool === undefined ? {} : { call: calledTool('--tool', input.tool) }),
    }),
  });
  if (input.through !== undefined && target.url === undefined) {
    refuse(
      '--through tests a hub in front of a URL.',
      'For a program use --subject hub, or give the URL of the server.',
    );
  }
  const progress = checkProgress(process.stderr, !out.json && !out.quiet);
  const report = await runChaos(target, {
    version: VERSION,
    subject,
    subjectFlags: subjectFlagsOf(input),
    budgetMs: (input.budget ?? BUDGET_SECONDS) * 1_000,
    port: input.listen,
    proxyCommand: (control, command) => [
      process.execPath,
      ownProgram(),
      'chaos',
      'proxy',
      '--control',
      control,
      '--',
      ...command,
    ],
    signal: process.signal,
    baseEnv: childEnvironment({ inherited: process.env }),
    onEvent: (event) => {
      if (event.type === 'row') progress.onEvent({ type: 'started', id: event.row.id });
      else progress.onEvent(event);
    },
  }).finally(progress.end);
  await writeReportFiles(context, report, checkForms(), input.report);
  out.data(report);
  if (!out.quiet || report.outcome !== 'passed') out.text(reportWords(report, input.verbose, out));
  return exitCodeOf(report);
};
