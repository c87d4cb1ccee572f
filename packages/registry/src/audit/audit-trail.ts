import {
  toPlugboardError,
  type AuditEntry,
  type AuditQuery,
  type AuditRecord,
  type WrittenAuditRecord,
  type AuditId,
} from '@plugboard/contract';
import { isoTime, type Clock } from '../port/clock.js';
import type { Log } from '../port/log.js';
import type { AuditStore, KeptAuditEntry } from '../store/store.js';
import { timeIds } from '../store/time-id.js';
import { StrangerQuota } from './stranger-quota.js';

/** Ids of audit entries, which sort by time. */
export const auditIds = (): ((epochMs: number) => AuditId) => timeIds('audit');

export interface AuditTrailOptions {
  readonly store: AuditStore;
  readonly clock: Clock;
  readonly log: Log;
  /** How long entries are gathered before they are written together. */
  readonly flushMs: number;
  /** How many entries may wait; beyond that the newest are dropped and counted. */
  readonly maxWaiting: number;
  /** How long entries are kept; 0 keeps them indefinitely. */
  readonly keepDays: number;
}

const DAY_MS = 86_400_000;
const ENTRIES_PER_WRITE = 1000;

/** Writes down what was done. Nobody waits for it: entries are gathered, and written together. */
export class AuditTrail {
  readonly #options: AuditTrailOptions;
  readonly #nextId = auditIds();
  readonly #gatherers: (() => void)[] = [];
  readonly #strangers = new StrangerQuota();
  #waiting: KeptAuditEntry[] = [];
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #failing = false;
  #forgetAt = 0;

  constructor(options: AuditTrailOptions) {
    this.#options = options;
  }

  record({ at, details, ...record }: AuditRecord): void {
    this.recordWritten({ ...record, at: Date.parse(at), details: JSON.stringify(details) });
  }

  /** What somebody without valid credentials tried. Only so many entries of theirs are kept; the others are counted. */
  recordStranger(record: AuditRecord): void {
    if (this.#strangers.take(this.#options.clock.now())) this.record(record);
  }

  /** The same for what comes in crowds. */
  recordWritten(record: WrittenAuditRecord): void {
    if (this.#waiting.length >= this.#options.maxWaiting) {
      this.#dropped += 1;
      return;
    }
    const { at, kind, actor, action, target, outcome, duration_ms, details } = record;
    const id = this.#nextId(this.#options.clock.now());
    this.#waiting.push({ id, at, kind, actor, action, target, outcome, duration_ms, details });
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.flush(), this.#options.flushMs);
    this.#timer.unref();
  }

  /** Called before anything is written: code that gathers entries elsewhere records them now. */
  onFlush(record: () => void): void {
    this.#gatherers.push(record);
  }

  /** Everything that was recorded before the call is found by it. */
  async read(query?: AuditQuery): Promise<readonly AuditEntry[]> {
    await this.flush();
    return this.#options.store.read(query);
  }

  flush(): Promise<void> {
    for (const record of this.#gatherers) record();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  close(): Promise<void> {
    this.#tellLeftOut(this.#strangers.leftOut());
    return this.flush();
  }

  async #write(): Promise<void> {
    this.#admitLoss();
    this.#tellLeftOut(this.#strangers.leftOutBefore(this.#options.clock.now()));
    while (this.#waiting.length > 0) {
      const part = this.#waiting.slice(0, ENTRIES_PER_WRITE);
      try {
        await this.#options.store.append(part);
      } catch (thrown) {
        this.#reportFailure(thrown);
        return;
      }
      this.#failing = false;
      this.#waiting = this.#waiting.slice(part.length);
    }
    await this.#forget();
  }

  /** A gap in the trail is itself an entry. */
  #admitLoss(): void {
    if (this.#dropped === 0) return;
    this.#note('auditGap', { entries_lost: this.#dropped });
    this.#dropped = 0;
  }

  #tellLeftOut(count: number): void {
    if (count > 0) this.#note('unauthenticatedRequests', { entries_left_out: count });
  }

  /** An entry about the trail itself. */
  #note(action: string, details: AuditRecord['details']): void {
    const now = this.#options.clock.now();
    this.#waiting.push({
      id: this.#nextId(now),
      at: now,
      kind: 'admin',
      actor: 'hub',
      action,
      target: 'audit',
      outcome: 'ok',
      duration_ms: 0,
      details: JSON.stringify(details),
    });
  }

  async #forget(): Promise<void> {
    const { keepDays, clock, store } = this.#options;
    const now = clock.now();
    if (keepDays === 0 || now < this.#forgetAt) return;
    this.#forgetAt = now + DAY_MS / 24;
    try {
      await store.forgetBefore(isoTime(now - keepDays * DAY_MS));
    } catch (thrown) {
      this.#reportFailure(thrown);
    }
  }

  /** What could not be written waits for the next time; the log hears of it once. */
  #reportFailure(thrown: unknown): void {
    const { code, message } = toPlugboardError(thrown);
    if (!this.#failing) this.#options.log.error('The audit trail cannot be written.', { code, reason: message });
    this.#failing = true;
  }
}
