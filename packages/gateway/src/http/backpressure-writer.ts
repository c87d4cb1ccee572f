import type { ServerResponse } from 'node:http';
import type { Room } from '@plugboard/client';

export interface BackpressureOptions {
  /** How much may be queued for a slow client before it is disconnected. */
  readonly maxQueuedBytes?: number | undefined;
  /** How long a client may read nothing before it is disconnected. */
  readonly stallMs?: number | undefined;
  /** Counts what is queued; a client without room is disconnected. */
  readonly room?: (() => Room | undefined) | undefined;
}

const DEFAULT_MAX_QUEUED = 16 * 1024 * 1024;
export const DEFAULT_STALL_MS = 60_000;
/** Small enough for a slow network to take one in time. */
export const PIECE_BYTES = 64 * 1024;
/** More characters than that are sent at once. */
const MAX_TOGETHER = 16 * 1024;
/** What is left behind a piece goes with it when it is less: it is not worth waiting for the piece to be taken. */
const REST_BYTES = 8 * 1024;

/**
 * Writes to a client as fast as it reads. What it has not read yet is queued up to a bound, and producers can wait until
 * the queue is empty. A client that falls further behind, or stops reading, is disconnected.
 */
export class BackpressureWriter {
  readonly #response: ServerResponse;
  readonly #maxQueued: number;
  readonly #stallMs: number;
  readonly #makeRoom: BackpressureOptions['room'];
  #room: Room | undefined;
  readonly #waiting = new Set<() => void>();
  #queue: Buffer[] = [];
  /** Written in this turn of the event loop, and sent at its end. */
  #together = '';
  /** Is the end of this turn awaited? */
  #isDue = false;
  /** Was the head written, and nothing sent yet? */
  #isHeadDue = false;
  #queued = 0;
  #counted = 0;
  #blocked = false;
  #ending = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, options: BackpressureOptions = {}) {
    this.#response = response;
    this.#maxQueued = options.maxQueuedBytes ?? DEFAULT_MAX_QUEUED;
    this.#stallMs = options.stallMs ?? DEFAULT_STALL_MS;
    this.#makeRoom = options.room;
    response.on('drain', () => this.#goOn());
    response.once('close', () => this.#release());
  }

  get open(): boolean {
    return !this.#ending && !this.#response.destroyed && !this.#response.writableEnded;
  }

  get blocked(): boolean {
    return this.#blocked;
  }

  /** Undefined while the client keeps up; else settles when it has taken everything, or is gone. */
  readonly drained = (): Promise<void> | undefined =>
    this.#blocked && !this.#response.destroyed ? new Promise((resolve) => this.#waiting.add(resolve)) : undefined;

  write(data: string | Buffer): void {
    if (this.#together !== '') this.#writeTogether();
    if (!this.open) return;
    this.#isHeadDue = false;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let at = 0; at < bytes.length;) {
      const end = bytes.length - at < PIECE_BYTES + REST_BYTES ? bytes.length : at + PIECE_BYTES;
      this.#queue.push(bytes.subarray(at, end));
      at = end;
    }
    this.#queued += bytes.length;
    if (!this.#blocked) this.#flush();
    else if (this.#queued > this.#maxQueued) this.#response.destroy();
    if (!this.#count()) this.#response.destroy();
  }

  /**
   * The same for small parts of which several may come in one turn of the event loop: they are sent together at its end.
   * Nothing waits longer for that, because the connection is not written to before.
   */
  writeSoon(text: string): void {
    if (!this.open) return;
    if (this.#blocked || this.#together.length + text.length > MAX_TOGETHER) {
      this.#writeTogether();
      this.write(text);
      return;
    }
    this.#together += text;
    this.#awaitEnd();
  }

  /** Sends the head that was written: with what is written in this turn of the event loop, or alone at its end. */
  headSoon(): void {
    this.#isHeadDue = true;
    this.#awaitEnd();
  }

  #awaitEnd(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    process.nextTick(() => {
      this.#isDue = false;
      if (this.#together !== '') this.#writeTogether();
      else if (this.#isHeadDue && this.open) this.#response.flushHeaders();
      this.#isHeadDue = false;
    });
  }

  #writeTogether(): void {
    const text = this.#together;
    this.#together = '';
    if (text !== '') this.write(text);
  }

  /** Ends the answer once everything is written. */
  end(): void {
    if (!this.open) return;
    this.#writeTogether();
    this.#ending = true;
    if (!this.#blocked) this.#response.end();
  }

  /** Says how much waits; false when that is more than there is room for. */
  #count(): boolean {
    if (this.#queued === this.#counted) return true;
    if (this.#queued > this.#counted) {
      this.#room ??= this.#makeRoom?.();
      if (this.#room?.grow(this.#queued - this.#counted) !== undefined) return false;
    } else {
      this.#room?.shrink(this.#counted - this.#queued);
    }
    this.#counted = this.#queued;
    return true;
  }

  #flush(): void {
    while (!this.#blocked && !this.#response.destroyed) {
      const piece = this.#queue.shift();
      if (piece === undefined) break;
      this.#queued -= piece.length;
      this.#blocked = !this.#response.write(piece);
    }
    if (this.#blocked) this.#watch();
  }

  #goOn(): void {
    clearTimeout(this.#stall);
    this.#blocked = false;
    this.#flush();
    this.#count();
    if (this.#blocked) return;
    this.#wake();
    if (this.#ending) this.#response.end();
  }

  #watch(): void {
    clearTimeout(this.#stall);
    this.#stall = setTimeout(() => this.#response.destroy(), this.#stallMs);
    this.#stall.unref();
  }

  #release(): void {
    clearTimeout(this.#stall);
    this.#queue = [];
    this.#queued = 0;
    this.#count();
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
