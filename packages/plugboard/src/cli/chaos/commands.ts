import { type Command, Option } from 'commander';
import {
  addAddress,
  type AddressOptions,
  addressOf,
  TARGET,
  TARGET_OR_ENVIRONMENT,
} from '../server-flags/address-options.js';
import { collect, type DefinitionTools } from '../command/define.js';
import { numberThat, parseWait } from '../command/parse-number.js';
import type { ChaosInput } from './chaos.js';
import type { ChaosProxyInput } from './proxy.js';

const parseWhole = numberThat('a whole number', (value) => Number.isSafeInteger(value) && value >= 0);

const HELP = `
After each fault the next call must succeed within the budget, no call may run twice, and no caller may get the answer of
another. The tool is called about eight times per row; without --tool, one that the target file allows is used.
Exit code 1: a row failed; 3: the suite could not be run; 4: nothing responds; 6: too many rows could not be verified.

Examples:
  plugboard chaos --tool 'echo={"message":"hi"}' -- node server.js
  plugboard chaos http://127.0.0.1:3000/mcp --tool echo --subject hub --report chaos.html
  plugboard chaos http://127.0.0.1:3000/mcp --tool echo --client "node my-client.mjs" --only "RSL-1*" --seed 7
  plugboard chaos proxy http://127.0.0.1:3000/mcp --listen 7001 --fault status:status=503,probability=0.1`;

const PROXY_HELP = `
A fault is its kind, or kind:name=value,name=value. Kinds: latency, bandwidth, slicer, reset, half-close, blackhole, status,
forget-session, truncate, garbage, surplus, drop-stream, drop-listeners, duplicate-events, reorder-events, wrong-id, duplicate-response,
late-response; for programs also garbage-line, split, stall, kill, stop. Each has phase, match, times and probability.
The same seed and the same messages give the same faults.

Examples:
  plugboard chaos proxy http://127.0.0.1:3000/mcp --listen 7001 --fault latency:ms=300 --fault reset:probability=0.05
  plugboard chaos proxy --fault kill:match=tools/call,times=1 -- node server.js`;

type ChaosOptions = AddressOptions & Partial<Omit<ChaosInput, 'address'>>;
type ProxyOptions = AddressOptions & Partial<Omit<ChaosProxyInput, 'address'>>;

const defineProxy = (chaos: Command, { run }: DefinitionTools): void => {
  const summary = 'run a proxy that injects faults between a client and a server';
  addAddress(chaos.command('proxy').summary(summary).description(summary))
    .argument('<target...>', TARGET)
    .option(
      '--fault <fault>',
      'a fault, such as latency:ms=200 or status:status=429,retryAfter=2; may be repeated',
      collect,
    )
    .option(
      '--seed <number>',
      'the seed that decides which messages are hit by faults with a probability (default: 1)',
      parseWhole,
    )
    .option('--listen <port>', 'the port to listen on (default: a free one)', parseWhole)
    .option('--control <address>', 'receive faults from a running suite (set by the suite itself)')
    .addHelpText('after', PROXY_HELP)
    .action((target: readonly string[], options: ProxyOptions, command: Command) =>
      run(command, () => import('./proxy.js'), 'run', { fault: [], ...options, address: addressOf(target, options) }),
    );
};

export const defineChaosCommands = (tools: DefinitionTools): void => {
  const { define, run } = tools;
  const chaos = define('chaos', 'inject faults and check that a server, a hub or a client recovers');
  addAddress(chaos)
    .usage('[options] <server|url|file>\n       plugboard chaos [options] -- <command> [arguments...]')
    .argument('[target...]', TARGET_OR_ENVIRONMENT)
    .option('--tool <tool>', 'the tool to call, as name or name={"json":"arguments"}')
    .addOption(new Option('--era <era>', 'the era to speak (default: the newest)').choices(['legacy', 'modern']))
    .addOption(
      new Option('--subject <subject>', 'what has to recover: the server, or a hub that is started in front of it')
        .choices(['server', 'hub'])
        .default('server'),
    )
    .option('--through <url>', 'test another hub that reaches the server through the port of --listen')
    .option('--listen <port>', 'the port of the fault proxy (default: a free one)', parseWhole)
    .option('--client <command>', 'test a client: a program that reads calls and writes results, see docs/chaos.md')
    .option('--only <row>', 'only this row; RSL-1* for several; may be repeated', collect)
    .option('--skip <row>', 'skip this row; may be repeated', collect)
    .option('--seed <number>', 'the seed for the strength of the faults; it is in the report', parseWhole)
    .option('--budget <seconds>', 'how long the recovery may take (default: 5)', parseWait)
    .option('--report <file>', 'also write .json, .md, .xml (JUnit), .sarif, .html or .svg; may be repeated', collect)
    .option('-v, --verbose', 'show every row')
    .addHelpText('after', HELP)
    .action((target: readonly string[], options: ChaosOptions, command: Command) =>
      run(command, () => import('./chaos.js'), 'run', {
        subject: 'server' as const,
        only: [],
        skip: [],
        report: [],
        verbose: false,
        ...options,
        address: addressOf(target, options),
      }),
    );
  defineProxy(chaos, tools);
};
