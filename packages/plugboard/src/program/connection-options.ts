import type { Command } from 'commander';
import type { ConnectionFlags } from '../command/connection-flags.js';
import type { OAuthFlags } from '../command/oauth-flags.js';
import { collect } from './define.js';

/** The options of `add` and `set` that say how a server is reached. */
export const withConnectionOptions = (command: Command): Command =>
  command
    .option('--sharing <rule>', 'who shares a connection: shared, per-client, per-agent')
    .option('--deadline <step=seconds>', 'how long connect, list or call may take; may be repeated', collect)
    .option('--tool-deadline <tool=seconds>', 'how long a call of this tool may take; may be repeated', collect)
    .option('--profile <profile>', 'post-sse for a server that answers on POST /sse with an x-session-id')
    .option('--ca <file>', 'authorities to trust beside the built-in ones, in PEM form')
    .option('--proxy <url>', 'the HTTP proxy on the way to the server, or none')
    .option('--oauth-issuer <url>', 'the only authorization server that gets the client secret; default lifts the pin')
    .option('--oauth-client-id <id>', 'the client that you registered with the authorization server')
    .option('--oauth-client-secret <secret>', 'its secret; - reads it from standard input');

export const connectionFlags = (options: ConnectionFlags & OAuthFlags): ConnectionFlags & OAuthFlags => ({
  oauthIssuer: options.oauthIssuer,
  oauthClientId: options.oauthClientId,
  oauthClientSecret: options.oauthClientSecret,
  sharing: options.sharing,
  deadline: options.deadline,
  toolDeadline: options.toolDeadline,
  profile: options.profile,
  ca: options.ca,
  proxy: options.proxy,
});
