import type { Command } from 'commander';
import { collect } from '../command/define.js';

/** The options of `add` and `set` that say how the program of a server is kept and what it may use. */
export const withProgramOptions = (command: Command): Command =>
  command
    .option(
      '--listen [port]',
      'the command serves HTTP on this port, passed as PORT and {{PORT}}; default: any free port',
    )
    .option(
      '--health <path>',
      'with --listen: ready when GET of this path returns 2xx; restarted when it stops doing so',
    )
    .option('--memory <megabytes>', 'terminate the command when it uses more memory; 0 removes the limit')
    .option('--restart <mode>', 'when to restart the command: on-failure, always or never')
    .option('--sandbox', 'run the command in a sandbox: no network, and only the system and its own files')
    .option('--sandbox-read <path>', 'a path that the command may read in its sandbox; may be repeated', collect)
    .option(
      '--sandbox-write <path>',
      'a path that the command may read and write in its sandbox; may be repeated',
      collect,
    )
    .option('--sandbox-network', 'allow network access in the sandbox')
    .option(
      '--sandbox-env <name>',
      'an environment variable of the hub to pass into the sandbox; may be repeated',
      collect,
    );
