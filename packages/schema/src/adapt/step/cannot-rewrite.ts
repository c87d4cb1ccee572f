/** Thrown inside a rewrite that has no faithful result; it never leaves the adaptation. */
export class CannotRewrite extends Error {
  override readonly name = 'CannotRewrite';
  readonly pointer: string;
  /** Would taking all arguments as JSON text still work? */
  readonly textHelps: boolean;

  constructor(message: string, pointer: string, textHelps = true) {
    super(message);
    this.pointer = pointer;
    this.textHelps = textHelps;
  }
}
