import {
  toPlugboardError,
  type ProgramExit,
  type ProgramFacts,
  type ServerId,
  type ServerLogEntry,
  type ServerLogKind,
} from '@plugboard/contract';
import { isoTime, type Clock } from '../port/clock.js';
import type { Log } from '../port/log.js';
import type { KeptLogEntry, LogRead, LogStore } from '../store/log-store.js';
import { timeIds } from '../store/time-id.js';
import { isFailure, ProgramLife } from './program-life.js';

export interface ServerLogsOptions {
  readonly store: LogStore;
  readonly clock: Clock;
  readonly log: Log;
  /** What servers that are only tried say is not kept. */
  readonly isRegistered: (id: ServerId) => boolean;
  /** How many entries of each server are kept. */
  readonly keepLines: number;
  readonly keepDays: number;
}

/** Something that is to be written down. */
export interface LogNote {
  readonly serverId: ServerId;
  readonly kind: ServerLogKind;
  readonly text: string;
  readonly pid?: number | undefined;
  /** How the program ended. */
  readonly exit?: Omit<ProgramExit, 'at'> | undefined;
}

/** How a program ended decides under which word its end is shown. */
const asShown = ({ exit, ...entry }: KeptLogEntry): ServerLogEntry =>
  exit === undefined || isFailure(exit) ? entry : { ...entry, kind: 'stopped' };

const FLUSH_MS = 500;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Another process may have written what is waited for: the store is asked this often. */
const ASK_AGAIN_MS = 1000;

/**
 * What the programs of servers write to stderr and what becomes of them: gathered, written together, and limited, so that
 * a program that writes without end fills neither the memory nor the store.
 */
export class ServerLogs {
  readonly #options: ServerLogsOptions;
  readonly #nextId = timeIds('log');
  readonly #waiting = new Map<ServerId, KeptLogEntry[]>();
  readonly #lives = new Map<ServerId, ProgramLife>();
  readonly #listeners = new Set<(id: ServerId) => void>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failing = false;
  #forgetAt = 0;

  constructor(options: ServerLogsOptions) {
    this.#options = options;
  }

  /** Learns from the store how programs fared before this start. */
  async recall(): Promise<void> {
    const since = isoTime(this.#options.clock.now() - HOUR_MS);
    for (const entry of await this.#options.store.lives(since)) this.#lifeOf(entry.server_id).recall(entry);
  }

  note({ serverId, kind, text, pid, exit }: LogNote): void {
    const now = this.#options.clock.now();
    const at = isoTime(now);
    const entry: KeptLogEntry = {
      id: this.#nextId(now),
      at,
      server_id: serverId,
      kind,
      pid: pid ?? null,
      text,
      exit: exit && { ...exit, at },
    };
    this.#lifeOf(serverId).note(entry);
    const waiting = this.#waiting.get(serverId) ?? [];
    waiting.push(entry);
    const { keepLines } = this.#options;
    this.#waiting.set(serverId, waiting.length > keepLines * 2 ? waiting.slice(-keepLines) : waiting);
    for (const listener of this.#listeners) listener(serverId);
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.flush(), FLUSH_MS);
    this.#timer.unref();
  }

  /** Everything that was noted before the call is found by it. */
  async read(id: ServerId, read: LogRead): Promise<readonly ServerLogEntry[]> {
    await this.flush();
    return (await this.#options.store.read(id, read)).map(asShown);
  }

  /** The same, once there is something, or when the time is up. */
  async wait(id: ServerId, read: LogRead, { ms, signal }: { ms: number; signal: AbortSignal }) {
    const until = performance.now() + ms;
    for (;;) {
      const found = await this.read(id, read);
      const left = until - performance.now();
      if (found.length > 0 || left <= 0 || signal.aborted) return found;
      await this.#noted(id, Math.min(left, ASK_AGAIN_MS), signal);
    }
  }

  /** How the programs of a server fare; undefined when none was started. */
  programOf(id: ServerId): ProgramFacts | undefined {
    return this.#lives.get(id)?.facts(this.#options.clock.now());
  }

  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** The server is gone. */
  async forget(id: ServerId): Promise<void> {
    this.#waiting.delete(id);
    this.#lives.delete(id);
    await this.#writing;
    await this.#guarded(() => this.#options.store.forget(id));
  }

  close(): Promise<void> {
    return this.flush();
  }

  #noted(id: ServerId, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const listener = (noted: ServerId): void => {
        if (noted === id) done();
      };
      const timer = setTimeout(done, ms);
      this.#listeners.add(listener);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #lifeOf(id: ServerId): ProgramLife {
    const known = this.#lives.get(id);
    if (known !== undefined) return known;
    const life = new ProgramLife();
    this.#lives.set(id, life);
    return life;
  }

  async #write(): Promise<void> {
    const { store, keepLines, isRegistered } = this.#options;
    for (const [id, entries] of this.#waiting) {
      this.#waiting.delete(id);
      if (!isRegistered(id)) {
        this.#lives.delete(id);
        continue;
      }
      await this.#guarded(async () => {
        await store.append(entries.slice(-keepLines));
        await store.keepLast(id, keepLines);
      });
    }
    await this.#forgetOld();
  }

  async #forgetOld(): Promise<void> {
    const { keepDays, clock, store } = this.#options;
    const now = clock.now();
    if (now < this.#forgetAt) return;
    this.#forgetAt = now + HOUR_MS;
    await this.#guarded(() => store.forgetBefore(isoTime(now - keepDays * DAY_MS)));
  }

  /** A log that cannot be written must not stop what it tells of; the hub's own log hears of it once. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failing = false;
    } catch (thrown) {
      const { code, message } = toPlugboardError(thrown);
      if (!this.#failing) this.#options.log.warn('The logs of servers could not be stored.', { code, reason: message });
      this.#failing = true;
    }
  }
}
