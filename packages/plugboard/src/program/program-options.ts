import type { Command } from 'commander';
import type { ProgramFlags } from '../command/program-flags.js';
import { collect } from './define.js';

/** The options of `add` and `set` that say how the program of a server is kept and what it may use. */
export const withProgramOptions = (command: Command): Command =>
  command
    .option(
      '--listen [port]',
      'the command serves HTTP on a port, which it finds in PORT and for {{PORT}}; any free one when none is given',
    )
    .option(
      '--health <path>',
      'with --listen: ready once GET of this path answers with 2xx, and restarted when it no longer does',
    )
    .option('--memory <megabytes>', 'end the command when it takes more than this; 0 lifts the limit')
    .option('--restart <mode>', 'when to start the command again: on-failure, always or never')
    .option('--sandbox', 'run the command in a sandbox: no network, and only the system and its own files')
    .option('--sandbox-read <path>', 'a path that the command in its sandbox may read; may be repeated', collect)
    .option('--sandbox-write <path>', 'a path that it may read and change; may be repeated', collect)
    .option('--sandbox-network', 'it may use the network')
    .option('--sandbox-env <name>', "a variable of the hub's environment that it gets; may be repeated", collect);

export const programFlags = (options: ProgramFlags): ProgramFlags => ({
  listen: options.listen,
  health: options.health,
  memory: options.memory,
  restart: options.restart,
  sandbox: options.sandbox,
  sandboxRead: options.sandboxRead,
  sandboxWrite: options.sandboxWrite,
  sandboxNetwork: options.sandboxNetwork,
  sandboxEnv: options.sandboxEnv,
});
