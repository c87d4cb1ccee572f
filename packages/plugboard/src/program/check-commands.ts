import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CheckInput } from '../command/check.js';
import type { CheckInitInput } from '../command/check-init.js';
import { collect, type DefinitionTools, lazily } from './define.js';

const parseSeed = (text: string): number => {
  const seed = Number(text);
  if (Number.isSafeInteger(seed)) return seed;
  throw new InvalidArgumentError('It must be a whole number.');
};

const addAddress = (command: Command): Command =>
  command
    .option('--sse', 'the URL speaks the older HTTP+SSE transport')
    .option('--header <header>', 'a header to send, as "Name: value"; may be repeated', collect)
    .option('--token <token>', 'a bearer token; - reads it from standard input')
    .option('--env <name=value>', 'an environment variable of the command; may be repeated', collect)
    .option('--cwd <directory>', 'where the command runs');

type AddressOptions = Partial<Pick<CheckInput, 'sse' | 'env' | 'header' | 'cwd' | 'token'>>;

const addressOf = (target: readonly string[], options: AddressOptions) => ({
  target,
  sse: options.sse ?? false,
  env: options.env ?? [],
  header: options.header ?? [],
  cwd: options.cwd,
  token: options.token,
});

type CheckOptions = AddressOptions & Partial<Omit<CheckInput, 'target'>> & { readonly intrusive?: boolean };

const defineInit = (check: Command, { perform }: DefinitionTools): void => {
  const summary = 'write a target file from a live server';
  addAddress(check.command('init').summary(summary).description(summary))
    .argument('<target...>', 'a registered server, a URL, or a command')
    .option('-o, --output <file>', 'where to write it; standard output when left out')
    .option('--force', 'replace a file that exists')
    .action((target: readonly string[], options: AddressOptions & Partial<CheckInitInput>, command: Command) =>
      lazily(perform, command, () => import('../command/check-init.js'), {
        ...addressOf(target, options),
        output: options.output,
        force: options.force ?? false,
      }),
    );
};

const defineHistory = (check: Command, { perform }: DefinitionTools): void => {
  check
    .command('history')
    .summary('list the runs that are kept')
    .description('list the runs that are kept')
    .argument('[target]', 'only runs on this target')
    .action((target: string | undefined, _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/check-history.js'), { target }),
    );
  check
    .command('compare')
    .summary('say what changed between two runs')
    .description('say what changed between two runs; exit code 1 means that something became worse')
    .argument('[before]', 'a run or a report in JSON; the last but one when left out', '2')
    .argument('[after]', 'a run or a report in JSON; the newest when left out', '1')
    .action((before: string, after: string, _options: unknown, command: Command) =>
      lazily(perform, command, () => import('../command/check-compare.js'), { before, after }),
    );
};

const HELP = `
By default only what is harmless by annotation, name and lint is called, at most five times and with values that its
schema gives. --allow and --intrusive are the ways to more; --dry-run prints the plan.
Exit code 1: a check failed at the level of --fail-on, the baseline is stale, or the server stopped answering;
3: the server could not be examined; 4: nothing answers; 6: too much could not be verified.

Examples:
  plugboard check -- npx -y @modelcontextprotocol/server-everything
  plugboard check https://server.example/mcp --tier smoke --report report.html --report junit.xml
  plugboard check init https://server.example/mcp -o check.yaml && plugboard check check.yaml
  plugboard check https://server.example/mcp --against "node server.js" --suite differential
  plugboard check files --only "TOL-*" --allow 'search={"query":"x"}'`;

export const defineCheckCommands = (tools: DefinitionTools): void => {
  const { define, perform } = tools;
  const check = define('check', 'judge a server: compliance, transports, schemas, security');
  addAddress(check)
    .usage('[options] <server|url|file>\n       plugboard check [options] -- <command> [arguments...]')
    .argument('[target...]', 'a registered server, a URL, a target file, or after two dashes a command')
    .addOption(
      new Option('--tier <tier>', 'how thorough (default: standard)').choices([
        'smoke',
        'standard',
        'full',
        'intrusive',
      ]),
    )
    .option('--intrusive', 'the same as --tier intrusive: may call any tool')
    .option('--dry-run', 'print which checks would run and what they would call, and call nothing')
    .addOption(new Option('--era <era>', 'only this era').choices(['legacy', 'modern']))
    .option('--suite <family>', 'only this family of checks; may be repeated', collect)
    .option('--only <id>', 'only this check; TOL-* for several; may be repeated', collect)
    .option('--skip <id>', 'not this check; may be repeated', collect)
    .option(
      '--allow <tool>',
      'a tool that may be called freely, as name or name={"json":"arguments"}; "*" for all that say they only read; may be repeated',
      collect,
    )
    .option('--seed <number>', 'of what is generated; the report names it', parseSeed)
    .addOption(
      new Option('--fail-on <level>', 'the least level that fails the run (default: must)').choices([
        'must',
        'should',
        'advice',
        'never',
      ]),
    )
    .option('--baseline <file>', 'known failures, one id per line; one that does not fail any more fails the run')
    .option(
      '--against <target>',
      'compare with another way to the same server: a URL, a target file, a registered server, a quoted command, or legacy or modern',
    )
    .option('--report <file>', 'also write .json, .md, .xml (JUnit), .sarif, .html or .svg; may be repeated', collect)
    .option('--no-keep', 'do not keep the run for the history')
    .option('-v, --verbose', 'every check, with what was sent and what came')
    .addHelpText('after', HELP)
    .action((target: readonly string[], options: CheckOptions, command: Command) =>
      lazily(perform, command, () => import('../command/check.js'), {
        ...addressOf(target, options),
        tier: options.intrusive === true ? 'intrusive' : options.tier,
        era: options.era,
        suite: options.suite ?? [],
        only: options.only ?? [],
        skip: options.skip ?? [],
        allow: options.allow ?? [],
        seed: options.seed,
        failOn: options.failOn,
        dryRun: options.dryRun ?? false,
        baseline: options.baseline,
        against: options.against,
        report: options.report ?? [],
        verbose: options.verbose ?? false,
        keep: options.keep ?? true,
      }),
    );
  defineInit(check, tools);
  defineHistory(check, tools);
};
