/** Seals text so that only this hub can open it, and only in the place that it was sealed for. */
export interface SecretBox {
  /** `place` names where the text is kept (`table|id|field`); it is bound to the sealed text, not stored in it. */
  seal(text: string, place: string): string;
  /** Throws SECRET_UNREADABLE when the key is another one, the text was altered, or it was moved to another place. */
  open(sealed: string, place: string): string;
}

/** A box whose master key can be replaced while it is in use. */
export interface RotatingSecretBox extends SecretBox {
  /** Seals with this key from now on; what was sealed with earlier ones can still be opened. */
  adopt(masterKey: Uint8Array): void;
  /** Was the text sealed with the key of today? */
  isCurrent(sealed: string): boolean;
  /** Is the key that the text was sealed with known at all? */
  hasKeyOf(sealed: string): boolean;
}
