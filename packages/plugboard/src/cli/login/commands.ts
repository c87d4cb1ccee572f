import type { Command } from 'commander';
import type { DefinitionTools } from '../command/define.js';
import { parseSeconds } from '../command/parse-number.js';

export const defineLoginCommands = ({ define, run }: DefinitionTools): void => {
  define('login', 'log in to a server that requires OAuth')
    .argument('<server>', 'name or id')
    .option('--no-browser', 'only print the URL')
    .option('--timeout <seconds>', 'how long to wait for the login; default: 300', parseSeconds)
    .option('--agent <agent>', 'log in for this agent (name or id) instead of the hub')
    .addHelpText(
      'after',
      `
The command prints the URL and opens it in a browser if there is one. It ends when the login is complete.`,
    )
    .action((server: string, options: { browser?: boolean; timeout?: number; agent?: string }, command: Command) =>
      run(command, () => import('./login.js'), 'run', { browser: true, ...options, server }),
    );
  define('logout', 'revoke and delete the login to a server')
    .argument('<server>', 'name or id')
    .option('--agent <agent>', 'the login of this agent (name or id)')
    .action((server: string, options: { agent?: string }, command: Command) =>
      run(command, () => import('./login.js'), 'logout', { server, agent: options.agent }),
    );
};
