import type { ServerResponse } from 'node:http';
import type { Room } from '@plugboard/client';

export interface PacedWriterOptions {
  /** What a slow reader may leave in our memory before it is cut off. */
  readonly maxQueuedBytes?: number | undefined;
  /** How long a reader may take for the next piece before it counts as gone. */
  readonly stallMs?: number | undefined;
  /** Counts what waits for the reader; one for whom there is no room is cut off. */
  readonly room?: (() => Room | undefined) | undefined;
}

const DEFAULT_MAX_QUEUED = 16 * 1024 * 1024;
export const DEFAULT_STALL_MS = 60_000;
/** Small enough that also a slow line takes one in time. */
export const PIECE_BYTES = 64 * 1024;

/**
 * Writes to a client at the pace of its reading. What it does not take yet waits here, up to a bound, and those who have
 * more for it can wait as well. A reader that stands still is cut off.
 */
export class PacedWriter {
  readonly #response: ServerResponse;
  readonly #maxQueued: number;
  readonly #stallMs: number;
  readonly #makeRoom: PacedWriterOptions['room'];
  #room: Room | undefined;
  readonly #waiting = new Set<() => void>();
  #queue: Buffer[] = [];
  #queued = 0;
  #counted = 0;
  #blocked = false;
  #ending = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, options: PacedWriterOptions = {}) {
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
    if (!this.open) return;
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#queue.push(bytes.subarray(at, at + PIECE_BYTES));
    this.#queued += bytes.length;
    if (!this.#blocked) this.#flush();
    else if (this.#queued > this.#maxQueued) this.#response.destroy();
    if (!this.#count()) this.#response.destroy();
  }

  /** Ends the answer once everything is written. */
  end(): void {
    if (!this.open) return;
    this.#ending = true;
    if (!this.#blocked) this.#response.end();
  }

  /** Says how much waits; false when that is more than there is room for. */
  #count(): boolean {
    if (this.#queued === this.#counted) return true;
    if (this.#queued > this.#counted) {
      this.#room ??= this.#makeRoom?.();
      if (this.#room?.grow(this.#queued - this.#counted) !== undefined) return false;
    } else this.#room?.shrink(this.#counted - this.#queued);
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
