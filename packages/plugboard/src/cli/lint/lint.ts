import { resolve } from 'node:path';
import { EXIT, type ExitCode, type ToolDefinition } from '@plugboard/contract';
import {
  adaptList,
  type GradeProfile,
  lintReport,
  type LintReport,
  normaliseSchema,
  type ProfileId,
  reportLines,
  toSarif,
  isProfileId,
  PROFILE_IDS,
} from '@plugboard/schema';
import { explainError } from '../../terminal/explain-error.js';
import type { Output } from '../../terminal/output.js';
import { paintTone } from '../../terminal/paint-tone.js';
import { printableColumns } from '../../terminal/printable.js';
import { wrapText } from '../../terminal/text-width.js';
import type { CommandContext } from '../command/command-context.js';
import { parseHeaders, parsePairs } from '../input/pair-flags.js';
import { type LintSource, NotExaminedError, readLintSource } from './lint-source.js';
import { readSecret } from '../input/secret-flag.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import { targetConfig } from '../server-flags/server-target.js';
import { didYouMean } from '../../terminal/did-you-mean.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface LintInput extends AddressFlags {
  readonly profile: GradeProfile;
  readonly provider: readonly string[];
  readonly fix: boolean;
  readonly sarif: boolean;
  readonly verbose: boolean;
}

/** A provider or host by its name on the command line. */
const parseProvider = (name: string): ProfileId => {
  if (isProfileId(name)) return name;
  throw invalidArgument(
    `"${name}" is not a known provider.`,
    didYouMean(name, PROFILE_IDS, `Known: ${PROFILE_IDS.join(', ')}.`),
  );
};

const parseProviders = (names: readonly string[]): readonly ProfileId[] =>
  names.flatMap((name) => name.split(',')).map(parseProvider);

const source = (context: CommandContext, input: LintInput): Promise<LintSource> =>
  readLintSource(context, {
    words: input.target,
    isCommand: context.process.argv.includes('--'),
    config: async () =>
      targetConfig({
        target: input.target,
        sse: input.sse,
        env: parsePairs('--env', input.env),
        headers: parseHeaders(input.header),
        cwd: input.target[0]?.includes('://') === true ? input.cwd : resolve(context.process.cwd, input.cwd ?? '.'),
        token: await readSecret(input.token, context.process),
        authHeader: undefined,
      }),
  });

const words = (report: LintReport, verbose: boolean, { style, width }: Output): string =>
  reportLines(report, { verbose })
    .flatMap(({ indent, tone, text }) => {
      const margin = '  '.repeat(indent);
      const line = printableColumns(text);
      const broken = width === undefined ? [line] : wrapText(line, width - margin.length - 2);
      return broken.map((part, index) => `${margin}${index === 0 ? '' : '  '}${paintTone(tone, part, style)}`);
    })
    .join('\n');

/** What fails the examination: unusable schemas, findings that are errors, and refusals of providers that were named. */
const verdict = ({ summary }: LintReport, named: readonly ProfileId[]): ExitCode => {
  const refused = named.some((id) => summary.providers[id]?.verdict === 'rejected');
  return summary.grades.INVALID > 0 || summary.lint.error > 0 || refused ? EXIT.failed : EXIT.ok;
};

const fixed = ({ tools, server }: LintSource, providers: readonly ProfileId[]): readonly ToolDefinition[] => {
  const [provider, ...more] = providers;
  if (more.length > 0) {
    throw invalidArgument(
      '--fix writes the list for one provider.',
      'Give --provider once, or leave it out for a list that is only normalised.',
    );
  }
  if (provider === undefined) {
    return tools.map((tool) => ({ ...tool, inputSchema: normaliseSchema(tool.inputSchema).schema }));
  }
  return adaptList(tools, provider, { server })
    .tools.filter((tool) => tool.verdict !== 'rejected')
    .map((tool) => tool.definition);
};

const tell = (out: Output, input: LintInput, found: LintSource, report: LintReport): void => {
  if (input.sarif) {
    const sarif = toSarif(report, { uri: found.uri });
    out.data(sarif);
    out.text(JSON.stringify(sarif, null, 2));
    return;
  }
  out.data(report);
  if (!out.quiet) out.text(words(report, input.verbose, out));
};

export const run = async (context: CommandContext, input: LintInput): Promise<ExitCode> => {
  const { out } = context;
  const providers = parseProviders(input.provider);
  try {
    const found = await source(context, input);
    if (input.fix) {
      const tools = fixed(found, providers);
      out.data({ tools });
      out.text(JSON.stringify({ tools }, null, 2));
      const dropped = found.tools.length - tools.length;
      if (dropped > 0) out.note(`${dropped} of ${found.tools.length} tools could not be rewritten and are left out.`);
      return dropped > 0 ? EXIT.failed : EXIT.ok;
    }
    const report = lintReport(found.tools, {
      profile: input.profile,
      server: found.server,
      providers: providers.length === 0 ? undefined : providers,
    });
    tell(out, input, found, report);
    return verdict(report, providers);
  } catch (thrown) {
    if (!(thrown instanceof NotExaminedError)) throw thrown;
    out.data({ error: thrown.toJSON() });
    out.problem(explainError(thrown.toJSON(), out.noteStyle));
    return EXIT.notExamined;
  }
};
