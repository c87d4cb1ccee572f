import { type Command, InvalidArgumentError, Option } from 'commander';
import { addAddress, type AddressOptions, addressOf } from '../check/address-options.js';
import { collect, type DefinitionTools, lazily } from '../command/define.js';
import { parseSeconds } from '../command/parse-seconds.js';
import type { BenchInput } from './bench.js';

const parseCount = (text: string): number => {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a whole number greater than 0.');
};

const parseRate = (text: string): number => {
  const rate = Number(text);
  if (Number.isFinite(rate) && rate > 0) return rate;
  throw new InvalidArgumentError('It must be a number of calls per second.');
};

const HELP = `
Scenarios: first-calls, single, list, payload, steady, head-of-line, exhaustion, spike, ramp; default: single and steady.
Nothing is called that you do not allow: without --tool and without tools in the target file, health requests are sent.
Thresholds are "metric:statistic<number", for example call_duration:p(95)<200 or call_failed:rate<0.01. docs/bench.md lists them.
Exit code 1: a threshold does not hold, or an answer was wrong (a mixed-up id, an answer of another caller, a second answer,
an answer that does not fit its schema); 3: it could not be measured; 4: nothing responds; 6: a threshold was not measured.

Examples:
  plugboard bench http://127.0.0.1:3000/mcp --tool 'echo={"message":"hi"}' --concurrency 50
  plugboard bench http://127.0.0.1:3000/mcp --rate 200 --duration 30 --preset strict --report bench.html
  plugboard bench --tool echo --scenario first-calls --scenario ramp -- node server.js`;

type BenchOptions = AddressOptions & Partial<Omit<BenchInput, 'address'>>;

export const defineBenchCommand = ({ define, perform }: DefinitionTools): void => {
  addAddress(define('bench', 'measure a server under load, and check that its answers stay correct'))
    .usage('[options] <server|url|file>\n       plugboard bench [options] -- <command> [arguments...]')
    .argument(
      '[target...]',
      'a registered server, a URL, a target file, an entry of a client file (.mcp.json#name), or after two dashes a command; default: MCP_GATEWAY_URL, DOCLING_MCP_URL',
    )
    .option('--tool <tool>', 'the tool to call, as name or name={"json":"arguments"}')
    .option('--slow <tool>', 'a slow tool for the head-of-line scenario, written in the same way')
    .addOption(new Option('--era <era>', 'the era to speak (default: the newest)').choices(['legacy', 'modern']))
    .option('--scenario <name>', 'a scenario to run; may be repeated', collect)
    .option('--concurrency <number>', 'how many callers there are (default: 10)', parseCount)
    .option('--rate <number>', 'calls per second, whether or not earlier ones were answered (open loop)', parseRate)
    .option('--duration <seconds>', 'how long steady load is measured (LOAD_TEST_DURATION; default: 10)', parseSeconds)
    .option('--warm-up <seconds>', 'how long it runs before it is measured (default: 2)', parseSeconds)
    .option(
      '--step <seconds>',
      'the length of a step of ramp and spike (STRESS_TEST_DURATION; default: 2)',
      parseSeconds,
    )
    .option('--timeout <seconds>', 'how long an answer may take (TEST_TIMEOUT; default: 10)', parseSeconds)
    .option('--connections <number>', 'how many connections the exhaustion scenario holds (default: 200)', parseCount)
    .addOption(new Option('--preset <name>', 'a set of thresholds').choices(['framework-defaults', 'strict']))
    .option('--threshold <condition>', 'a threshold, such as call_duration:p(95)<200; may be repeated', collect)
    .option('--report <file>', 'also write .json, .md, .xml (JUnit) or .html; may be repeated', collect)
    .addHelpText('after', HELP)
    .action((target: readonly string[], options: BenchOptions, command: Command) =>
      lazily(perform, command, () => import('./bench.js'), {
        address: addressOf(target, options),
        tool: options.tool,
        slow: options.slow,
        era: options.era,
        scenario: options.scenario ?? [],
        concurrency: options.concurrency,
        rate: options.rate,
        duration: options.duration,
        warmUp: options.warmUp,
        step: options.step,
        timeout: options.timeout,
        connections: options.connections,
        preset: options.preset,
        threshold: options.threshold ?? [],
        report: options.report ?? [],
      }),
    );
};
