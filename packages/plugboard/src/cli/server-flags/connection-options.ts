import type { Command } from 'commander';
import type { ConnectionFlags } from './connection-flags.js';
import type { OAuthFlags } from './oauth-flags.js';
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
