import { type Command, Option } from 'commander';
import { collect, type DefinitionTools } from '../command/define.js';
import { addAddress, addressOf } from '../server-flags/address-options.js';
import type { LintInput } from './lint.js';

type LintOptions = Partial<Omit<LintInput, 'target'>>;

export const defineLintCommand = ({ define, run }: DefinitionTools): void => {
  addAddress(define('lint', 'grade tools, and check them against providers and for poisoning'))
    .usage('[options] <server|url|file>\n       plugboard lint [options] -- <command> [arguments...]')
    .argument('<target...>', 'a registered server, a URL, a file with tools (- for standard input), or a command')
    .addOption(new Option('--profile <profile>', 'how strictly schemas are graded').choices(['default', 'letta']))
    .option('--provider <provider>', 'check only this provider or host; may be repeated', collect)
    .option('--fix', 'print the list rewritten for the provider, or normalised without --provider')
    .option('--sarif', 'write SARIF for code scanning')
    .option('-v, --verbose', 'also show advice and rewrites')
    .addHelpText(
      'after',
      `
Nothing is registered. Exit code 1 means that a schema is invalid, a finding is an error, or a named provider
rejects a tool; 3 means that the file has no list of tools.

Examples:
  plugboard lint files --provider openai-strict
  plugboard lint tools.json --json
  plugboard lint -- npx -y @modelcontextprotocol/server-memory`,
    )
    .action((target: readonly string[], options: LintOptions, command: Command) =>
      run(command, () => import('./lint.js'), 'run', {
        profile: 'default' as const,
        provider: [],
        fix: false,
        sarif: false,
        verbose: false,
        ...options,
        ...addressOf(target, options),
      }),
    );
};
