import type { ApiKey, ApiKeyCreate, ApiKeyCreated, KeyPurge, PageQuery, Principal } from '@plugboard/contract';

/** Keys to the hub. */
export interface ApiKeys {
  list(page?: PageQuery): Promise<readonly ApiKey[]>;
  /** The answer is the only place where the key itself is ever shown. */
  create(input: ApiKeyCreate): Promise<ApiKeyCreated>;
  /** From now on the key opens nothing. Rejects with NOT_FOUND. */
  revoke(id: string): Promise<ApiKey>;
  /** Deletes keys that open nothing any more. When none is left, keys are demanded only if the settings say so. */
  purge(): Promise<KeyPurge>;
  /** Whose key this is. Rejects with UNAUTHENTICATED when it is unknown, expired or revoked. */
  authenticate(token: string): Promise<Principal>;
  /** Reads the keys again: another process changed them. */
  refresh(): Promise<void>;
  /** Was a key ever made? From then on, keys are demanded. */
  exist(): boolean | Promise<boolean>;
}
