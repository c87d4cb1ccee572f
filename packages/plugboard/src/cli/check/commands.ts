import { type Command, Option } from 'commander';
import { addAddress, type AddressOptions, addressOf, TARGET_OR_ENVIRONMENT } from '../server-flags/address-options.js';
import type { CheckInput } from './check.js';
import { failOnOption } from './fail-on-option.js';
import type { CheckInitInput } from './init.js';
import { collect, type DefinitionTools } from '../command/define.js';
import { numberThat } from '../command/parse-number.js';

const parseSeed = numberThat('a whole number', Number.isSafeInteger);

type CheckOptions = AddressOptions & Partial<Omit<CheckInput, 'target'>> & { readonly intrusive?: boolean };

const defineInit = (check: Command, { run }: DefinitionTools): void => {
  const summary = 'write a target file from a live server';
  addAddress(check.command('init').summary(summary).description(summary))
    .argument('<target...>', 'a registered server, a URL, or a command')
    .option('-o, --output <file>', 'the file to write; default: standard output')
    .option('--force', 'overwrite an existing file')
    .action((target: readonly string[], options: AddressOptions & Partial<CheckInitInput>, command: Command) =>
      run(command, () => import('./init.js'), 'run', { force: false, ...options, ...addressOf(target, options) }),
    );
};

const defineHistory = (check: Command, { run }: DefinitionTools): void => {
  check
    .command('history')
    .summary('list stored runs')
    .description('list stored runs')
    .argument('[target]', 'only runs on this target')
    .action((target: string | undefined, _options: unknown, command: Command) =>
      run(command, () => import('./past-runs.js'), 'history', { target }),
    );
  check
    .command('compare')
    .summary('show what changed between two runs')
    .description('show what changed between two runs; exit code 1 means that something became worse')
    .argument('[before]', 'a run or a JSON report; default: the second newest run', '2')
    .argument('[after]', 'a run or a JSON report; default: the newest run', '1')
    .action((before: string, after: string, _options: unknown, command: Command) =>
      run(command, () => import('./past-runs.js'), 'compare', { before, after }),
    );
};

const HELP = `
By default only tools that are harmless by annotation, name and lint are called, at most six times and with values from
their schema. --allow and --intrusive allow more; --dry-run prints the plan.
Exit code 1: a check failed at the level of --fail-on, the baseline is stale, or the server stopped answering;
3: the server could not be checked; 4: nothing responds; 6: too many checks could not be verified.

Examples:
  plugboard check -- npx -y @modelcontextprotocol/server-everything
  plugboard check https://server.example/mcp --tier smoke --report report.html --report junit.xml
  plugboard check init https://server.example/mcp -o check.yaml && plugboard check check.yaml
  plugboard check https://server.example/mcp --against "node server.js" --suite differential
  plugboard check files --only "TOL-*" --allow 'search={"query":"x"}'`;

/** `check` and its subcommands; the command is given back for those of other folders. */
export const defineCheckCommands = (tools: DefinitionTools): Command => {
  const { define, run } = tools;
  const check = define('check', 'check a server: compliance, transports, schemas, security');
  addAddress(check)
    .usage('[options] <server|url|file>\n       plugboard check [options] -- <command> [arguments...]')
    .argument('[target...]', TARGET_OR_ENVIRONMENT)
    .addOption(
      new Option('--tier <tier>', 'how thorough (default: standard)').choices([
        'smoke',
        'standard',
        'full',
        'intrusive',
      ]),
    )
    .option('--intrusive', 'the same as --tier intrusive: may call any tool')
    .option('--dry-run', 'print the checks that would run and the tools they would call, and call nothing')
    .addOption(new Option('--era <era>', 'only this era').choices(['legacy', 'modern']))
    .option('--suite <family>', 'only this family of checks; may be repeated', collect)
    .option('--only <id>', 'only this check; TOL-* for several; may be repeated', collect)
    .option('--skip <id>', 'skip this check; may be repeated', collect)
    .option(
      '--allow <tool>',
      'a tool that may be called, as name or name={"json":"arguments"}; "*" for all tools annotated as read-only; may be repeated',
      collect,
    )
    .option('--seed <number>', 'the seed of generated values; it is in the report', parseSeed)
    .addOption(failOnOption())
    .option(
      '--baseline <file>',
      'a file of known failures, one id per line; an entry that no longer fails also fails the run',
    )
    .option(
      '--against <target>',
      'compare with another connection to the same server: a URL, a target file, a registered server, a quoted command, or legacy or modern',
    )
    .option('--report <file>', 'also write .json, .md, .xml (JUnit), .sarif, .html or .svg; may be repeated', collect)
    .option('--no-keep', 'do not store the run in the history')
    .option('-v, --verbose', 'show every check with its requests and responses')
    .addHelpText('after', HELP)
    .action((target: readonly string[], options: CheckOptions, command: Command) =>
      run(command, () => import('./check.js'), 'run', {
        suite: [],
        only: [],
        skip: [],
        allow: [],
        dryRun: false,
        report: [],
        verbose: false,
        keep: true,
        ...options,
        ...addressOf(target, options),
        tier: options.intrusive === true ? 'intrusive' : options.tier,
      }),
    );
  defineInit(check, tools);
  defineHistory(check, tools);
  return check;
};
