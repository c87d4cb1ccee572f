import { PlugboardError, type ErrorCode, type PlugboardErrorOptions } from '@plugboard/contract';

/**
 * What a failed step means to whoever keeps the credentials.
 * transient: try later, and keep everything. invalid-grant: the login is over. invalid-client: the client is not known.
 * unsupported: the server offers no authorization that we can use. rejected: an answer that must not be trusted.
 */
export type OAuthFailureKind =
  | 'transient'
  | 'invalid-grant'
  | 'invalid-client'
  | 'refused'
  | 'unsupported'
  | 'rejected';

export interface OAuthFailureOptions extends PlugboardErrorOptions {
  /** The error code of the protocol, such as `invalid_scope`. */
  readonly oauthError?: string | undefined;
}

const CODES: Readonly<Record<OAuthFailureKind, ErrorCode>> = {
  transient: 'AUTH_SERVER_UNAVAILABLE',
  'invalid-grant': 'UPSTREAM_AUTH_REVOKED',
  'invalid-client': 'UPSTREAM_AUTH',
  refused: 'UPSTREAM_AUTH',
  unsupported: 'UPSTREAM_AUTH',
  rejected: 'UPSTREAM_AUTH',
};

/** A step of OAuth that did not succeed. */
export class OAuthFailure extends PlugboardError {
  override readonly name = 'OAuthFailure';
  readonly kind: OAuthFailureKind;
  readonly oauthError: string | undefined;

  constructor(kind: OAuthFailureKind, message: string, options: OAuthFailureOptions = {}) {
    const { oauthError, details, ...rest } = options;
    super(CODES[kind], message, {
      ...rest,
      details: { ...details, oauth_failure: kind, ...(oauthError === undefined ? {} : { oauth_error: oauthError }) },
    });
    this.kind = kind;
    this.oauthError = oauthError;
  }
}
