/** A request that the server would not serve with the credentials it came with. */
export interface CredentialRefusal {
  readonly status: 401 | 403;
  /** The WWW-Authenticate field. */
  readonly challenge: string | undefined;
  /** The fields of this source that the request carried. */
  readonly sent: Readonly<Record<string, string>>;
}

/**
 * Fields that prove who we are, when they are not fixed in the config: OAuth tokens, for example. A request that was
 * refused was not executed, so it is sent again whenever there are better fields. What these methods throw is what the
 * caller of the request gets.
 */
export interface CredentialSource {
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** The server said 401: true when other fields are worth a second try. */
  refresh?(challenge: string | undefined, signal: AbortSignal, refusal: CredentialRefusal): Promise<boolean>;
  /** The server said 403 with `insufficient_scope`: true when fields that allow more are worth a second try. */
  stepUp?(refusal: CredentialRefusal, signal: AbortSignal): Promise<boolean>;
  /** The second try was refused too. The place to say what somebody has to do. */
  rejected?(refusal: CredentialRefusal, signal: AbortSignal): Promise<void>;
}
