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
