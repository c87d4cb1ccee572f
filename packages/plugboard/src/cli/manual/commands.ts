import type { Command } from 'commander';
import { type DefinitionTools, lazily } from '../command/define.js';

export const defineManualCommand = ({ define, perform, describeProgram }: DefinitionTools): void => {
  define('manual', 'print the manual of the command line', { hidden: true })
    .option('--config-schema', 'the JSON Schema of plugboard.json instead')
    .action((options: { configSchema?: boolean }, command: Command) =>
      lazily(perform, command, () => import('./manual.js'), {
        configSchema: options.configSchema ?? false,
        describeProgram,
      }),
    );
};
