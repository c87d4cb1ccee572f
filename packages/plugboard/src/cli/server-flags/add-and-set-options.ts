import type { Command } from 'commander';
import { collect } from '../command/define.js';

/** The options of `add` and `set` that say how a server is reached. */
export const withConnectionOptions = (command: Command): Command =>
  command
    .option('--sharing <rule>', 'who shares a connection: shared, per-client, per-agent')
    .option('--deadline <step=seconds>', 'how long connect, list or call may take; may be repeated', collect)
    .option('--tool-deadline <tool=seconds>', 'how long a call of this tool may take; may be repeated', collect)
    .option('--profile <profile>', 'post-sse for a server that responds to POST /sse with an x-session-id')
    .option('--ca <file>', 'additional certificate authorities to trust, in PEM format')
    .option('--proxy <url>', 'the HTTP proxy to use for the server, or none')
    .option(
      '--oauth-issuer <url>',
      'send the client secret only to this authorization server; "default" removes the restriction',
    )
    .option('--oauth-client-id <id>', 'the client that you registered with the authorization server')
    .option('--oauth-client-secret <secret>', 'its secret; - reads it from standard input');

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
