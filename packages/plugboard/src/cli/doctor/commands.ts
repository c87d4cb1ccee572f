import type { Command } from 'commander';
import type { DefinitionTools } from '../command/define.js';

export const defineDoctorCommand = ({ define, run }: DefinitionTools): void => {
  define('doctor', 'diagnose the installation and every server, and suggest fixes')
    .option('--offline', 'do not connect to the servers')
    .action((options: { offline?: boolean }, command: Command) =>
      run(command, () => import('./doctor.js'), 'run', { offline: false, ...options }),
    );
};
