import type { JsonObject } from '@plugboard/wire';

/** A legacy session that outlives this process: the id alone would leave version and capabilities unknown. */
export interface StoredSession {
  readonly sessionId: string;
  readonly version: string;
  readonly serverInfo?: JsonObject | undefined;
  readonly capabilities?: JsonObject | undefined;
  readonly instructions?: string | undefined;
}

/** Where a session id is kept between two lives of a client. */
export interface SessionStore {
  load(signal: AbortSignal): Promise<StoredSession | undefined>;
  save(session: StoredSession): Promise<void>;
  clear(): Promise<void>;
}
