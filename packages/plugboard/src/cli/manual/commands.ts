import type { Command } from 'commander';
import type { DefinitionTools } from '../command/define.js';

export const defineManualCommand = ({ define, run, describeProgram }: DefinitionTools): void => {
  define('manual', 'print the manual of the command line', { hidden: true })
    .option('--config-schema', 'the JSON Schema of plugboard.json instead')
    .action((options: { configSchema?: boolean }, command: Command) =>
      run(command, () => import('./manual.js'), 'run', { configSchema: false, ...options, describeProgram }),
    );
};
