/** The server was reached and did not answer in time, or went away instead. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly sent: string;
  readonly received: string;

  constructor(message: string, sent = '', received = '') {
    super(message);
    this.sent = sent;
    this.received = received;
  }
}

/** Nothing is there to talk to: no listener, no program, no name. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  /** What the next run needs. */
  readonly supply: string;

  constructor(message: string, supply = 'a server that can be reached') {
    super(message);
    this.supply = supply;
  }
}
