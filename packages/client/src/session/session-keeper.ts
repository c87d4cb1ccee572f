import { waitWithSignal } from '../deadline/wait-with-signal.js';
import { McpCancelledError } from '../error/error-family.js';
import { toClientError } from '../error/to-client-error.js';
import type { LiveSession } from './live-session.js';

export interface SessionKeeperOptions {
  /** Opens a session; must settle within its deadline and release everything when it fails. */
  readonly open: (generation: number, signal: AbortSignal) => Promise<LiveSession>;
  readonly onLive: (live: LiveSession) => void;
  readonly onGone: (live: LiveSession) => void;
}

/** Holds the one session of a client. It is opened once per loss, for all callers. */
export class SessionKeeper {
  readonly #options: SessionKeeperOptions;
  readonly #closing = new Set<Promise<void>>();
  #life = new AbortController();
  #live: LiveSession | undefined;
  #opening: Promise<LiveSession> | undefined;
  #generation = 0;

  constructor(options: SessionKeeperOptions) {
    this.#options = options;
  }

  get live(): LiveSession | undefined {
    return this.#live;
  }

  async acquire(signal: AbortSignal): Promise<LiveSession> {
    if (this.#live !== undefined) return this.#live;
    this.#opening ??= this.#openOnce();
    return waitWithSignal(this.#opening, signal, 'not-executed');
  }

  /** A caller found the session lost. Only the first report of a generation counts. */
  lose(generation: number): boolean {
    const live = this.#live;
    if (live?.generation !== generation) return false;
    this.#live = undefined;
    this.#release(live);
    return true;
  }

  /** Ends the session and one that is being opened. The next `acquire` opens a new one. */
  async dispose(): Promise<void> {
    this.#life.abort(new McpCancelledError('CANCELLED', 'The client was disposed.'));
    this.#life = new AbortController();
    const opening = this.#opening;
    const live = this.#live;
    this.#opening = undefined;
    this.#live = undefined;
    if (live !== undefined) this.#release(live);
    await opening?.catch(() => undefined);
    await Promise.all(this.#closing);
  }

  #openOnce(): Promise<LiveSession> {
    const opening = this.#open(this.#life.signal).finally(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening;
  }

  async #open(signal: AbortSignal): Promise<LiveSession> {
    this.#generation += 1;
    try {
      // The old link goes first: a server may allow one at a time.
      await Promise.all(this.#closing);
      const live = await this.#options.open(this.#generation, signal);
      if (signal.aborted) {
        this.#release(live);
        throw toClientError(signal.reason);
      }
      this.#live = live;
      this.#options.onLive(live);
      return live;
    } catch (thrown) {
      throw toClientError(thrown).with({ delivery: 'not-executed' });
    }
  }

  #release(live: LiveSession): void {
    this.#options.onGone(live);
    const closed = live.transport
      .close()
      .catch(() => undefined)
      .finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}
