import type { RotatingSecretBox } from '../secret/secret-box.js';

export interface SealCount {
  /** How many sealed texts there are. */
  readonly total: number;
  /** Of these, how many were sealed with a key that is not known. */
  readonly foreign: number;
}

export interface Resealed {
  /** How many were encrypted again. */
  readonly resealed: number;
  /** How many could not be opened, and were left as they are. */
  readonly unreadable: number;
}

/** The sealed texts of a store, as such. */
export interface SealStore {
  count(box: RotatingSecretBox): Promise<SealCount>;
  /** Seals with the key of today whatever was sealed with an earlier one, all of it or nothing. */
  reseal(box: RotatingSecretBox): Promise<Resealed>;
}
