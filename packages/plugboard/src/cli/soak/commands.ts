import { type Command, Option } from 'commander';
import {
  parseChurn,
  parseCount,
  parseRate,
  parseSeconds,
  parseSecondsOrZero,
  wholeNumber,
} from '../command/parse-number.js';
import { addAddress, type AddressOptions, addressOf, TARGET_OR_ENVIRONMENT } from '../server-flags/address-options.js';
import { collect, type DefinitionTools } from '../command/define.js';
import type { SoakInput } from './soak.js';

const HELP = `
Memory and handles are those of the program after two dashes, or of --pid, on Linux. The run ends early when everything is
certain. Nothing is called that you do not allow: without --tool and without tools in the target file, health requests are sent.
Exit code 1: something grows without a plateau, or an answer was wrong; 3: it could not be measured; 4: nothing responds;
6: it could not be decided in time.

Examples:
  plugboard soak --tool 'echo={"message":"hi"}' -- node server.js
  plugboard soak http://127.0.0.1:3000/mcp --pid 4711 --duration 600 --churn 5 --churn-mode abandon --report soak.html`;

type SoakOptions = AddressOptions & Partial<Omit<SoakInput, 'address'>>;

export const defineSoakCommand = ({ define, run }: DefinitionTools): void => {
  addAddress(define('soak', 'call a server for minutes and find leaks of memory, handles and sessions'))
    .usage('[options] <server|url|file>\n       plugboard soak [options] -- <command> [arguments...]')
    .argument('[target...]', TARGET_OR_ENVIRONMENT)
    .option('--tool <tool>', 'the tool to call, as name or name={"json":"arguments"}')
    .addOption(new Option('--era <era>', 'the era to speak (default: the newest)').choices(['legacy', 'modern']))
    .option('--duration <seconds>', 'the maximum duration (LOAD_TEST_DURATION; default: 120)', parseSeconds)
    .option(
      '--warm-up <seconds>',
      'the time at the start in which growth does not count (default: 15)',
      parseSecondsOrZero,
    )
    .option('--rate <number>', 'calls per second (default: 500)', parseRate)
    .option('--concurrency <number>', 'the number of concurrent callers (default: 4)', wholeNumber(1, 2_000))
    .option('--churn <number>', 'sessions to open and close per second (default: 2)', parseChurn)
    .addOption(
      new Option(
        '--churn-mode <mode>',
        'how these sessions end: with DELETE, abandoned, or both in turns (default: both)',
      ).choices(['delete', 'abandon', 'both']),
    )
    .option('--pid <number>', 'the process id of the server behind a URL', parseCount)
    .option('--report <file>', 'also write .json, .md, .xml (JUnit) or .html; may be repeated', collect)
    .addHelpText('after', HELP)
    .action((target: readonly string[], options: SoakOptions, command: Command) =>
      run(command, () => import('./soak.js'), 'run', { report: [], ...options, address: addressOf(target, options) }),
    );
};
