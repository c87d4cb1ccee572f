import { type OAuthSettings, PlugboardError } from '@plugboard/contract';
import type { LoginTarget } from './login-desk.js';

const holdsSecret = ({ client_secret: secret, private_key: key }: OAuthSettings): boolean =>
  (secret ?? null) !== null || (key ?? null) !== null;

const refusal = (message: string, hint: string, issuer: string): PlugboardError =>
  new PlugboardError('UPSTREAM_AUTH', message, { hint, details: { oauth_failure: 'rejected', issuer } });

/**
 * The secret of a client belongs to one authorization server. Which one a server names is the server's word: without the
 * operator's it gets no secret, except where both are the same.
 */
export const assertPinnedIssuer = ({ settings, serverName, serverUrl }: LoginTarget, issuer: string): void => {
  if (settings === undefined) return;
  const shown = issuer.slice(0, 256);
  const pinned = settings.issuer ?? undefined;
  if (pinned !== undefined && pinned !== issuer) {
    throw refusal(
      `The server "${serverName}" names a different authorization server than the configured one.`,
      `It names ${shown}. If that is correct, set oauth.issuer to this URL. Otherwise do not use this server.`,
      shown,
    );
  }
  if (pinned !== undefined || !holdsSecret(settings) || new URL(issuer).origin === new URL(serverUrl).origin) return;
  throw refusal(
    `The authorization server that "${serverName}" names is not the one its client secret was configured for.`,
    `It names ${shown}. If the secret belongs to that one, set oauth.issuer of the server to this URL.`,
    shown,
  );
};
