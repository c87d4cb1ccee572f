import type { SessionOffer } from '@plugboard/contract';

/** Notices that come together cause one read: a server announces each tool separately. */
const GATHER_MS = 20;
const MAX_PAUSE_MS = 30_000;
/** Requests in the meantime wait for a reading that is due this soon. */
const SOON_MS = 200;
/** After so long without a notice, former ones no longer count. */
const FORGIVEN_MS = 60_000;

export type Reading = 'changed' | 'same' | 'failed';

export interface SessionListOptions {
  /** Reads the list and keeps what it brought. Must not reject. */
  readonly read: () => Promise<Reading>;
  /** Called when there begins to be, or no longer is, something to wait for. */
  readonly onDue: () => void;
  /** Called after each reading; `isAnnounced`: the server said that the list changed. */
  readonly onRead: (reading: Reading, isAnnounced: boolean) => void;
}

interface Due {
  readonly promise: Promise<void>;
  readonly settle: () => void;
}

const newDue = (): Due => {
  let settle = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
};

/** The tools of one server as one session has them: when they are read, and how they differ from the catalogue. */
export class SessionList {
  readonly #options: SessionListOptions;
  offer: SessionOffer | undefined;
  #due: Due | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isReading = false;
  #isStale = false;
  #isAnnounced = false;
  #closed = false;
  /** How many notices in a row brought no change: some servers send one in response to every list. */
  #idleRounds = 0;
  #readAt = 0;

  constructor(options: SessionListOptions) {
    this.#options = options;
  }

  /** Settles when the reading that is due is over. */
  get due(): Promise<void> | undefined {
    return this.#due?.promise;
  }

  /** The list changed, the server says; or it has to be read again for another reason. */
  notice(isAnnounced = true): void {
    this.#isAnnounced ||= isAnnounced;
    if (this.#closed || this.#timer !== undefined) return;
    if (performance.now() - this.#readAt > FORGIVEN_MS) this.#idleRounds = 0;
    const pauseMs = Math.min(GATHER_MS * 2 ** Math.min(this.#idleRounds, 16), MAX_PAUSE_MS);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#readOn();
    }, pauseMs);
    this.#timer.unref();
    if (pauseMs > SOON_MS || this.#due !== undefined) return;
    this.#due = newDue();
    this.#options.onDue();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#settle();
  }

  /** One reading at a time: what is announced during one is read by the next. */
  async #readOn(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#isStale && !this.#closed) {
      this.#isStale = false;
      const isAnnounced = this.#isAnnounced;
      this.#isAnnounced = false;
      const reading = await this.#options.read();
      this.#readAt = performance.now();
      this.#idleRounds = reading === 'changed' ? 0 : this.#idleRounds + 1;
      if (!this.#closed) this.#options.onRead(reading, isAnnounced);
    }
    this.#isReading = false;
    if (this.#timer === undefined) this.#settle();
  }

  #settle(): void {
    const due = this.#due;
    if (due === undefined) return;
    this.#due = undefined;
    this.#options.onDue();
    due.settle();
  }
}
