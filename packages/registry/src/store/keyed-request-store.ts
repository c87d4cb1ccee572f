/** One attempt to carry out a request with an idempotency key. */
export interface KeyedAttempt {
  /** Of the caller and its key; neither can be read from it. */
  readonly id: string;
  /** Of what is asked for. */
  readonly content: string;
  /** The process that makes the attempt. */
  readonly holder: string;
  /** Tells it from every other attempt. */
  readonly attempt: string;
}

export interface KnownAttempt extends KeyedAttempt {
  /** What came of it, as it was written; undefined while nobody knows. */
  readonly outcome: string | undefined;
}

/** Where outcomes are sealed. */
export const outcomePlace = (id: string): string => `keyed_requests|${id}|outcome`;

/** Requests with an idempotency key, on all processes of the store. Each operation is atomic. */
export interface KeyedRequestStore {
  /** Notes the attempt if it is the first, and returns undefined; else the one that was. Older ones than `keepMs` do not count. */
  begin(attempt: KeyedAttempt, keepMs: number): Promise<KnownAttempt | undefined>;
  /** Keeps what came of an attempt. */
  settle(attempt: Pick<KeyedAttempt, 'id' | 'attempt'>, outcome: string): Promise<void>;
  /** The attempt carried nothing out: the next one is the first again. */
  forget(attempt: Pick<KeyedAttempt, 'id' | 'attempt'>): Promise<void>;
  /** Removes what began longer ago. */
  forgetOlder(keepMs: number): Promise<void>;
}
