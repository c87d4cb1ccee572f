import type { Command } from 'commander';
import { type DefinitionTools, lazily } from '../command/define.js';

export const defineDoctorCommand = ({ define, perform }: DefinitionTools): void => {
  define('doctor', 'diagnose the installation and every server, and suggest fixes')
    .option('--offline', 'do not connect to the servers')
    .action((options: { offline?: boolean }, command: Command) =>
      lazily(perform, command, () => import('./doctor.js'), { offline: options.offline ?? false }),
    );
};
