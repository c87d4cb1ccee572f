export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly KeyValue[];
  readonly body?: Uint8Array;
  /** Texts that no report may show. */
  readonly secrets: readonly string[];
}

export interface Answer {
  /** The address that answered, after all redirects. */
  readonly url: URL;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly KeyValue[];
  readonly body: Uint8Array;
  readonly timeMs: number;
  /** How often it was redirected. */
  readonly redirects: number;
}
