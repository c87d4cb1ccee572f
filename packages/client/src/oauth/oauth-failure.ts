import { PlugboardError, type ErrorCode, type PlugboardErrorOptions, type OAuthFailureKind } from '@plugboard/contract';

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
