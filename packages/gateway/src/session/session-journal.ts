import { setTimeout as wait } from 'node:timers/promises';
import type { KeptEvents, KeptSession, SessionBatch, SessionKeeping } from '@plugboard/contract';
import type { HttpSession } from './http-session.js';
import { numbersBefore } from './session-past.js';
import { SessionSeal } from './session-seal.js';
import { writeEvents, writeState } from './session-state.js';

export interface SessionJournalOptions {
  readonly keeping: SessionKeeping;
  /** A session that was silent for this long is over. */
  readonly idleMs: number;
  /** How long opening a session may wait until it is written; without it, it does not wait. */
  readonly openWaitMs?: number | undefined;
  readonly onFailure: (error: unknown) => void;
}

/** What the journal knows of a session beside the session itself. */
interface Page {
  readonly holder: HttpSession;
  readonly seal: SessionSeal;
  /** The number of the last event that was written. */
  written: number;
  /** The number of the oldest event that is still stored. */
  oldest: number;
  /** When the client last used it, as it is stored, by the monotonic clock of this process. */
  usedAt: number;
  /** Called when it was written for the first time. */
  onWritten: (() => void) | undefined;
}

/** How long changes are collected before they are written. */
const COLLECT_MS = 250;
const RETRY_MS = 2000;
/** How long a hub that stops waits for its last batch. */
const LAST_MS = 3000;
/** One batch has no more, so that writing it holds nothing up for long. */
const MAX_SESSIONS = 500;
const MAX_CHARS = 4 * 1024 * 1024;
/** What finding out costs that a session cannot be written, as if it had been. */
const GIVEN_UP_CHARS = 256 * 1024;
/** How exactly it is written when a session was last used. */
const grainOf = (idleMs: number): number => Math.max(1000, idleMs / 8);

/** How long a session is kept after the last use that was written. */
export const keptMs = (idleMs: number): number => idleMs + 2 * grainOf(idleMs);

/** When its client last used it. A session with something in progress is in use. */
const usedAtOf = ({ session }: HttpSession): number => (session.busy ? performance.now() : session.usedAt);

const idleSince = (usedAt: number): number => Math.max(0, Math.round(performance.now() - usedAt));

/**
 * Writes what is needed to continue sessions, behind the requests that change them: a crash loses what changed in the
 * last moment, and no request waits for the store.
 */
export class SessionJournal {
  readonly #options: SessionJournalOptions;
  readonly #pages = new Map<HttpSession, Page>();
  readonly #changed = new Set<Page>();
  /** Sessions that are over, or not kept any more, and may still be stored: their keys and generations. */
  readonly #ended = new Map<string, number>();
  readonly #usage: NodeJS.Timeout;
  #next: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;
  #isUrgent = false;

  constructor(options: SessionJournalOptions) {
    this.#options = options;
    this.#usage = setInterval(() => void this.noteUse(), grainOf(options.idleMs));
    this.#usage.unref();
    void this.#forgetOld();
  }

  /** From now on the session is kept. Resolves when it was written, or there is no more time to wait for that. */
  keep(holder: HttpSession): Promise<void> | undefined {
    const { session, generation } = holder;
    const page: Page = {
      holder,
      seal: new SessionSeal(session.id),
      // What an earlier process wrote stays as it is.
      written: numbersBefore(generation),
      oldest: 0,
      usedAt: -Infinity,
      onWritten: undefined,
    };
    this.#pages.set(holder, page);
    holder.onChange = () => this.#note(page);
    session.onEnd(() => this.#end(page));
    const { openWaitMs } = this.#options;
    if (openWaitMs === undefined) {
      this.#note(page);
      return undefined;
    }
    this.#changed.add(page);
    this.#hurry();
    return this.#whenWritten(page, openWaitMs);
  }

  /** Is the session with this key over, whatever the store still has of it? */
  hasEnded(key: string): boolean {
    return this.#ended.has(key);
  }

  /** Writes that sessions which are used are still in use, and forgets those that nobody came back for. */
  async noteUse(): Promise<void> {
    const grain = grainOf(this.#options.idleMs);
    for (const page of this.#pages.values()) if (usedAtOf(page.holder) - page.usedAt >= grain) this.#note(page);
    await this.#forgetOld();
  }

  /** Writes everything that changed until now. */
  async flush(): Promise<void> {
    await this.#writing;
    while (this.#changed.size > 0 || this.#ended.size > 0) await this.#write();
  }

  /** Writes what is left. From now on the end of a session is that of this process only. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#usage);
    clearTimeout(this.#next);
    const last = this.flush().catch((thrown: unknown) => this.#options.onFailure(thrown));
    await Promise.race([last, wait(LAST_MS, undefined, { ref: false })]);
  }

  #whenWritten(page: Page, waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      timer.unref();
      page.onWritten = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Somebody waits: the next batch is written at once, with everything that came while the last one was written. */
  #hurry(): void {
    this.#isUrgent = true;
    if (this.#writing !== undefined) return;
    clearTimeout(this.#next);
    this.#next = undefined;
    this.#schedule(0);
  }

  #note(page: Page): void {
    if (this.#closed || !this.#pages.has(page.holder)) return;
    this.#changed.add(page);
    this.#schedule(COLLECT_MS);
  }

  #end(page: Page): void {
    const isOurs = this.#pages.delete(page.holder);
    page.onWritten?.();
    page.holder.onChange = undefined;
    this.#changed.delete(page);
    if (this.#closed || !isOurs) return;
    this.#ended.set(page.seal.key, page.holder.generation);
    this.#schedule(COLLECT_MS);
  }

  #schedule(ms: number): void {
    if (this.#next !== undefined || this.#writing !== undefined) return;
    this.#next = setTimeout(() => {
      this.#next = undefined;
      this.#write().catch((thrown: unknown) => {
        this.#options.onFailure(thrown);
        if (!this.#closed) this.#schedule(RETRY_MS);
      });
    }, ms);
    this.#next.unref();
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined;
      if (this.#closed || (this.#changed.size === 0 && this.#ended.size === 0)) return;
      this.#schedule(this.#isUrgent ? 0 : COLLECT_MS);
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<void> {
    this.#isUrgent = false;
    const ended = new Map(this.#ended);
    const pages = this.#take();
    try {
      const { batch, written } = this.#batchOf(pages, ended);
      const lost = new Set(await this.#options.keeping.save(batch));
      for (const note of written) note();
      for (const key of ended.keys()) this.#ended.delete(key);
      for (const { holder, seal } of pages) if (lost.has(seal.key)) this.#letGo(holder);
    } catch (thrown) {
      for (const page of pages) if (this.#pages.has(page.holder)) this.#changed.add(page);
      throw thrown;
    }
  }

  /** The pages of the next batch. */
  #take(): readonly Page[] {
    const pages: Page[] = [];
    for (const page of this.#changed) {
      if (pages.length === MAX_SESSIONS) break;
      this.#changed.delete(page);
      pages.push(page);
    }
    return pages;
  }

  #batchOf(
    pages: readonly Page[],
    ended: ReadonlyMap<string, number>,
  ): { batch: SessionBatch; written: (() => void)[] } {
    const sessions: KeptSession[] = [];
    const events: KeptEvents[] = [];
    const trimmed: { key: string; before: number }[] = [];
    const written: (() => void)[] = [];
    let chars = 0;
    for (const page of pages) {
      if (chars > MAX_CHARS) {
        this.#changed.add(page);
        continue;
      }
      const { holder, seal } = page;
      const { key } = seal;
      const { last, first } = holder.log;
      const usedAt = usedAtOf(holder);
      const text = this.#textOf(page);
      if (text === undefined) {
        chars += GIVEN_UP_CHARS;
        continue;
      }
      sessions.push({ key, generation: holder.generation, sealed: text.state, idleMs: idleSince(usedAt) });
      if (text.events !== undefined) events.push({ key, last, sealed: text.events });
      chars += text.state.length + (text.events?.length ?? 0);
      if (page.oldest < first && page.written > 0) trimmed.push({ key, before: first });
      written.push(() => {
        page.written = last;
        page.oldest = first;
        page.usedAt = usedAt;
        page.onWritten?.();
        page.onWritten = undefined;
      });
    }
    return {
      batch: { sessions, events, trimmed, ended: [...ended].map(([key, generation]) => ({ key, generation })) },
      written,
    };
  }

  /** The page as it is written. Undefined when it cannot be: then the session ends with this process, and others are kept. */
  #textOf(page: Page): { readonly state: string; readonly events: string | undefined } | undefined {
    const { holder, seal } = page;
    try {
      const fresh = holder.log.newerThan(page.written);
      return { state: writeState(holder, seal), events: fresh.length > 0 ? writeEvents(fresh, seal) : undefined };
    } catch (thrown) {
      this.#end(page);
      this.#options.onFailure(thrown);
      return undefined;
    }
  }

  /** Another replica continues the session: here it is over, and the store keeps it. */
  #letGo(holder: HttpSession): void {
    this.#pages.delete(holder);
    holder.onChange = undefined;
    holder.session.end();
  }

  async #forgetOld(): Promise<void> {
    const { keeping, idleMs, onFailure } = this.#options;
    await keeping.forgetIdle(Math.ceil(keptMs(idleMs))).catch(onFailure);
  }
}
