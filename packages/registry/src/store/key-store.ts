import type { ApiKey, ApiKeyId } from '@plugboard/contract';

/** A key as it is kept: what it may do, and a hash of it. */
export interface StoredKey {
  readonly key: ApiKey;
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly hash: string;
}

/** Where keys to the hub are kept. */
export interface KeyStore {
  all(): Promise<readonly StoredKey[]>;
  insert(stored: StoredKey): Promise<void>;
  /** The first revocation counts. False when there is no such key. */
  revoke(id: ApiKeyId, at: string): Promise<boolean>;
  noteUse(id: ApiKeyId, at: string): Promise<void>;
  /** Deletes keys that were revoked, or that ended before that time; their number. */
  deleteEnded(at: string): Promise<number>;
}
