/** Seals text so that only this hub can open it, and only in the place that it was sealed for. */
export interface SecretBox {
  /** `place` names where the text is kept (`table|id|field`); it is bound to the sealed text, not stored in it. */
  seal(text: string, place: string): string;
  /** Throws SECRET_UNREADABLE when the key is another one, the text was altered, or it was moved to another place. */
  open(sealed: string, place: string): string;
}
