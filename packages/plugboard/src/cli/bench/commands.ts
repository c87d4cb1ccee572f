import { type Command, Option } from 'commander';
import { addAddress, type AddressOptions, addressOf, TARGET_OR_ENVIRONMENT } from '../server-flags/address-options.js';
import { collect, type DefinitionTools } from '../command/define.js';
import {
  parseCount,
  parsePercent,
  parseRate,
  parseSeconds,
  parseSecondsOrZero,
  parseWait,
  wholeNumber,
} from '../command/parse-number.js';
import type { BenchInput } from './bench.js';

const HELP = `
Scenarios: first-calls, cold-start, single, list, payload, steady, head-of-line, streams, exhaustion, spike, ramp; default: single and steady.
Nothing is called that you do not allow: without --tool and without tools in the target file, health requests are sent.
Thresholds are "metric:statistic<number", for example call_duration:p(95)<200 or call_failed:rate<0.01. docs/bench.md lists them.
Exit code 1: a threshold does not hold, or an answer was wrong (a mixed-up id, an answer of another caller, a second answer,
an answer that does not fit its schema); 3: it could not be measured; 4: nothing responds; 6: a threshold was not measured.

Examples:
  plugboard bench http://127.0.0.1:3000/mcp --tool 'echo={"message":"hi"}' --concurrency 50
  plugboard bench http://127.0.0.1:3000/mcp --rate 200 --duration 30 --preset strict --report bench.html
  plugboard bench --tool echo --scenario first-calls --scenario ramp -- node server.js`;

type BenchOptions = AddressOptions & Partial<Omit<BenchInput, 'address'>>;

export const defineBenchCommand = ({ define, run }: DefinitionTools): void => {
  const bench = define('bench', 'measure a server under load, and check that its answers stay correct');
  bench
    .command('worker', { hidden: true })
    .description('call for another process; bench starts it with --workers')
    .action((_options: object, command: Command) => run(command, () => import('./worker.js'), 'run', {}));
  addAddress(bench)
    .usage('[options] <server|url|file>\n       plugboard bench [options] -- <command> [arguments...]')
    .argument('[target...]', TARGET_OR_ENVIRONMENT)
    .option('--tool <tool>', 'the tool to call, as name or name={"json":"arguments"}')
    .option('--slow <tool>', 'a slow tool for the head-of-line scenario, written in the same way')
    .addOption(new Option('--era <era>', 'the era to speak (default: the newest)').choices(['legacy', 'modern']))
    .option('--scenario <name>', 'a scenario to run; may be repeated', collect)
    .option('--concurrency <number>', 'the number of concurrent callers (default: 10)', wholeNumber(1, 2_000))
    .option('--workers <number>', 'how many processes call a server behind a URL (default: 1)', wholeNumber(1, 64))
    .option('--rate <number>', 'calls per second, whether or not earlier ones were answered (open loop)', parseRate)
    .option('--duration <seconds>', 'how long steady load is measured (LOAD_TEST_DURATION; default: 10)', parseSeconds)
    .option('--warm-up <seconds>', 'how long to run before the measurement begins (default: 2)', parseSecondsOrZero)
    .option(
      '--step <seconds>',
      'the length of a step of ramp and spike (STRESS_TEST_DURATION; default: 2)',
      parseSeconds,
    )
    .option('--timeout <seconds>', 'the deadline for each answer (TEST_TIMEOUT; default: 10)', parseWait)
    .option(
      '--connections <number>',
      'how many connections the exhaustion scenario holds (default: 200)',
      wholeNumber(1, 2_000),
    )
    .option('--pid <number>', 'the process id of the server behind a URL, to measure its CPU and memory', parseCount)
    .addOption(new Option('--preset <name>', 'a set of thresholds').choices(['framework-defaults', 'strict']))
    .option('--threshold <condition>', 'a threshold, such as call_duration:p(95)<200; may be repeated', collect)
    .option('--baseline <file>', 'compare with an earlier JSON report; worse by more than --tolerance fails')
    .option(
      '--against <target>',
      'measure another target in turns: a URL, a target file, a registered server or a quoted command',
    )
    .option('--rounds <number>', 'the number of alternating runs with --against (default: 6)', wholeNumber(1, 1_000))
    .option('--tolerance <percent>', 'the difference that does not count (default: 10)', parsePercent)
    .option('--report <file>', 'also write .json, .md, .xml (JUnit) or .html; may be repeated', collect)
    .addHelpText('after', HELP)
    .action((target: readonly string[], options: BenchOptions, command: Command) =>
      run(command, () => import('./bench.js'), 'run', {
        scenario: [],
        threshold: [],
        report: [],
        ...options,
        address: addressOf(target, options),
      }),
    );
};
