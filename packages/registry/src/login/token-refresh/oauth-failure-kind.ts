import { PlugboardError, type OAuthFailureKind } from '@plugboard/contract';

/** What a failed step of the protocol means; undefined for anything else that was thrown. */
export const oauthFailureKind = (thrown: unknown): OAuthFailureKind | undefined => {
  const kind = thrown instanceof PlugboardError ? thrown.details?.['oauth_failure'] : undefined;
  return typeof kind === 'string' ? (kind as OAuthFailureKind) : undefined;
};
