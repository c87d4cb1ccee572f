import { type Command, Option } from 'commander';
import { CLIENTS } from '../../mcp-json/client-name.js';
import { collect, type DefinitionTools } from '../command/define.js';
import type { ExportInput } from './export.js';
import type { ImportInput } from './import.js';

export const defineMcpJsonCommands = ({ define, run }: DefinitionTools): void => {
  define('import', 'register the servers of an MCP client')
    .argument('[file]', 'an mcp.json file; default: the files of all known clients')
    .addOption(new Option('--client <client>', 'only the file of this client').choices(CLIENTS))
    .option('--input <id=value>', 'a value for an input that VS Code would ask for; may be repeated', collect)
    .option('--dry-run', 'print what would happen to each entry, and change nothing')
    .action((file: string | undefined, options: Partial<ImportInput>, command: Command) =>
      run(command, () => import('./import.js'), 'run', { input: [], dryRun: false, ...options, file }),
    );
  define('export', 'write servers in the format that MCP clients share')
    .argument('[servers...]', 'names or ids; default: all servers')
    .option('-o, --output <file>', 'write to a file instead of stdout')
    .addOption(
      new Option('--for-client <client>', 'print the entry that makes this client use the hub').choices(CLIENTS),
    )
    .option('--each', 'with --for-client: one entry per server instead of one for all')
    .addOption(new Option('--with-secrets').hideHelp())
    .addHelpText(
      'after',
      '\nSecrets never leave the hub: each is written as ${NAME}, for the reader to fill in from the environment.',
    )
    .action((servers: readonly string[], options: Partial<ExportInput>, command: Command) =>
      run(command, () => import('./export.js'), 'run', { each: false, withSecrets: false, ...options, servers }),
    );
};
