import { type Command, Option } from 'commander';
import { addAddress, type AddressOptions, addressOf, TARGET } from '../server-flags/address-options.js';
import { collect, type DefinitionTools } from '../command/define.js';
import type { DiffInput } from './diff.js';
import type { LockInput } from './lock.js';

const LOCK_HELP = `
The lock file holds the definition of each tool and the instructions of the server. Commit it, and run \`plugboard diff\` in CI.

Examples:
  plugboard lock files
  plugboard lock https://server.example/mcp --name search
  plugboard lock -- npx -y @modelcontextprotocol/server-memory`;

const DIFF_HELP = `
Without a target, each server in the lock file is compared that is registered under the same name.
Exit code 1: something changed at the level of --fail-on, or the lock was edited by hand; 3: the server could not be read;
4: nothing responds. \`breaking\`: what worked may fail. \`instruction\` (the default): also text that a model reads, and new
tools. \`any\`: also compatible changes.

Examples:
  plugboard diff
  plugboard diff --report diff.sarif --report diff.xml -- node server.js
  plugboard diff https://server.example/mcp --name search --fail-on breaking`;

type Options<Input> = AddressOptions & Partial<Omit<Input, 'address'>>;

const target = (command: Command): Command =>
  addAddress(command)
    .argument('[target...]', TARGET)
    .option('--name <name>', 'the name of the server in the lock file')
    .option('--lock <file>', 'the lock file (default: mcp.lock.json)');

const defineLock = ({ define, run }: DefinitionTools): void => {
  target(define('lock', 'pin what a server offers in a lock file'))
    .usage('[options] <server|url|file>\n       plugboard lock [options] -- <command> [arguments...]')
    .addHelpText('after', LOCK_HELP)
    .action((words: readonly string[], options: Options<LockInput>, command: Command) =>
      run(command, () => import('./lock.js'), 'run', {
        lock: 'mcp.lock.json',
        ...options,
        address: addressOf(words, options),
      }),
    );
};

/** `lock` and `diff`: contracts of servers, for CI. */
export const defineContractCommands = (tools: DefinitionTools): void => {
  const { define, run } = tools;
  defineLock(tools);
  target(define('diff', 'compare what servers offer with the lock file'))
    .usage('[options] [server|url|file]\n       plugboard diff [options] -- <command> [arguments...]')
    .addOption(
      new Option('--fail-on <kind>', 'the least severe change that fails the run (default: instruction)').choices([
        'breaking',
        'instruction',
        'any',
        'never',
      ]),
    )
    .option('--report <file>', 'also write .json, .md, .xml (JUnit), .sarif, .html or .svg; may be repeated', collect)
    .option('-v, --verbose', 'show every tool, including unchanged ones')
    .addHelpText('after', DIFF_HELP)
    .action((words: readonly string[], options: Options<DiffInput>, command: Command) =>
      run(command, () => import('./diff.js'), 'run', {
        lock: 'mcp.lock.json',
        failOn: 'instruction' as const,
        report: [],
        verbose: false,
        ...options,
        address: addressOf(words, options),
      }),
    );
};
