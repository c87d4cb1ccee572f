/** Fields that prove who we are, when they are not fixed in the config: OAuth tokens, for example. */
export interface CredentialSource {
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** The server said 401: true when other fields are worth a second try. */
  refresh?(challenge: string | undefined, signal: AbortSignal): Promise<boolean>;
}
