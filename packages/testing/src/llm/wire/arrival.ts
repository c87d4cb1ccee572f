/** A request as it came, over HTTP/1.1 or HTTP/2. */
export interface Arrival {
  readonly method: string;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
