import type { OAuthSettings, HttpConfig } from '@plugboard/contract';
import type { ProcessContext } from '../../process/process-context.js';
import { readSecret } from '../input/secret-flag.js';

/** The client with which the hub logs in to a server, as it was typed. */
export interface OAuthFlags {
  /** The only authorization server that gets the secret; `default` takes the pin back. */
  readonly oauthIssuer?: string | undefined;
  readonly oauthClientId?: string | undefined;
  /** - reads it from standard input. */
  readonly oauthClientSecret?: string | undefined;
}

export const readOAuthFlags = async (flags: OAuthFlags, process: ProcessContext): Promise<OAuthFlags> => ({
  oauthIssuer: flags.oauthIssuer,
  oauthClientId: flags.oauthClientId,
  oauthClientSecret: await readSecret(flags.oauthClientSecret, process),
});

export const givenOAuthFlags = (flags: OAuthFlags): readonly string[] => [
  ...(flags.oauthIssuer === undefined ? [] : ['--oauth-issuer']),
  ...(flags.oauthClientId === undefined ? [] : ['--oauth-client-id']),
  ...(flags.oauthClientSecret === undefined ? [] : ['--oauth-client-secret']),
];

/** The secret of a client is for one authorization server: the hub does not keep it for another. */
export const losesSecret = ({ oauthIssuer }: OAuthFlags, current?: OAuthSettings | null): boolean => {
  const issuer = oauthIssuer === 'default' ? null : oauthIssuer;
  const holds = typeof current?.client_secret === 'string' || typeof current?.private_key === 'string';
  return issuer !== undefined && issuer !== (current?.issuer ?? null) && holds;
};

/** The flags as a member of a config; what is stored and not named stays. */
export const oauthMember = (flags: OAuthFlags, current?: OAuthSettings | null): Pick<HttpConfig, 'oauth'> => {
  if (givenOAuthFlags(flags).length === 0) return {};
  const { oauthIssuer: issuer, oauthClientId, oauthClientSecret } = flags;
  const kept = losesSecret(flags, current) ? { ...current, client_secret: null, private_key: null } : current;
  return {
    oauth: {
      grant: 'authorization_code',
      ...kept,
      ...(issuer === undefined ? {} : { issuer: issuer === 'default' ? null : issuer }),
      ...(oauthClientId === undefined ? {} : { client_id: oauthClientId }),
      ...(oauthClientSecret === undefined ? {} : { client_secret: oauthClientSecret }),
    },
  };
};
