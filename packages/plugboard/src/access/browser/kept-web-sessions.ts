import type { SessionKeeping } from '@plugboard/contract';
import { SessionSeal } from '@plugboard/gateway';

/** What is kept of a session of a browser. */
export interface WebSessionState {
  /** What was logged in with; null for the key of the hub's owner, which every process creates for itself. */
  readonly credential: string | null;
  readonly csrf: string;
  readonly expiresAt: number;
  readonly usedAt: number;
}

export interface KeptWebSessionsOptions {
  readonly keeping: Pick<SessionKeeping, 'load' | 'save'>;
  readonly onFailure: (error: unknown) => void;
}

/** Sessions of browsers belong to no process: all have the same generation. */
const GENERATION = 1;
const PURPOSE = 'web session';
/** Where several processes serve browsers, the mark of one comes first. */
const TOKEN = /^(?:[\w-]{1,128}\.)?[\w-]{43}$/u;

const parse = (text: string | undefined): WebSessionState | undefined => {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as WebSessionState);
  } catch {
    return undefined;
  }
};

/**
 * Sessions of browsers in the store, for the process that comes after this one. They are encrypted with their tokens,
 * which only the browsers have: nobody can use what is in the store.
 */
export class KeptWebSessions {
  readonly #options: KeptWebSessionsOptions;
  /** Sessions that are over, whatever the store still has of them. */
  readonly #ended = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: KeptWebSessionsOptions) {
    this.#options = options;
  }

  /** Writes a session, behind the request that opened or used it. `leftMs`: how long it lasts if nobody uses it. */
  write(token: string, state: WebSessionState, leftMs: number): void {
    const seal = new SessionSeal(token, PURPOSE);
    const sealed = seal.seal(JSON.stringify(state));
    // It counts as used until its end, so the store does not forget it before.
    const session = { key: seal.key, generation: GENERATION, sealed, idleMs: -Math.ceil(leftMs) };
    this.#enqueue(async () => {
      if (!this.#ended.has(seal.key)) await this.#save([session], []);
    });
  }

  /** Writes that a session was used, unless somebody ended it at another process: then this resolves with false. */
  async renew(token: string, state: WebSessionState, leftMs: number): Promise<boolean> {
    try {
      const { key } = new SessionSeal(token, PURPOSE);
      if ((await this.#options.keeping.load(key)) === undefined) return false;
      this.write(token, state, leftMs);
    } catch (thrown) {
      this.#options.onFailure(thrown);
    }
    return true;
  }

  end(token: string): void {
    const { key } = new SessionSeal(token, PURPOSE);
    this.#ended.add(key);
    this.#enqueue(async () => {
      await this.#save([], [{ key, generation: GENERATION }]);
      this.#ended.delete(key);
    });
  }

  /** Undefined for what is not kept, or was not written for this token. */
  async load(token: string): Promise<WebSessionState | undefined> {
    if (!TOKEN.test(token)) return undefined;
    const seal = new SessionSeal(token, PURPOSE);
    const kept = this.#ended.has(seal.key) ? undefined : await this.#options.keeping.load(seal.key);
    return kept === undefined || this.#ended.has(seal.key) ? undefined : parse(seal.open(kept.session.sealed));
  }

  /** Resolves when everything is written. */
  async flush(): Promise<void> {
    await this.#last;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch(this.#options.onFailure);
  }

  async #save(
    sessions: Parameters<SessionKeeping['save']>[0]['sessions'],
    ended: Parameters<SessionKeeping['save']>[0]['ended'],
  ): Promise<void> {
    await this.#options.keeping.save({ sessions, events: [], trimmed: [], ended });
  }
}
