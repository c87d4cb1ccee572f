/** Thrown in place of sending: the run may not call this, or not again. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  /** What the operator can give so that it may be called. */
  readonly supply: string;

  constructor(message: string, supply: string) {
    super(message);
    this.supply = supply;
  }
}
