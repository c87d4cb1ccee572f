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
      `The server "${serverName}" names another authorization server than the one that was configured.`,
      `It names ${shown}. If that is right, set oauth.issuer to it; if it is not, do not use this server.`,
      shown,
    );
  }
  if (pinned !== undefined || !holdsSecret(settings) || new URL(issuer).origin === new URL(serverUrl).origin) return;
  throw refusal(
    `Nobody has said that the client secret of "${serverName}" is for the authorization server that it names.`,
    `It names ${shown}. If the secret is for that one, set "issuer" in the oauth settings of the server to it.`,
    shown,
  );
};
