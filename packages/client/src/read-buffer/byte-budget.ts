export interface ByteBudgetOptions {
  /** For everybody together. */
  readonly maxBytes: number;
  /** For one holder: a caller or a server. */
  readonly maxPerHolder?: number | undefined;
}

/** Why there is no room: everybody together has used it up, or this holder its own share. */
export type NoRoom = 'total' | 'holder';

/** Below this a message is not worth counting: thousands of them are less than one large one. */
export const UNCOUNTED_BYTES = 64 * 1024;

/**
 * Memory for what servers and clients send, and what waits for them: bodies, answers and unread output. Nothing is allocated here;
 * who needs room asks first, and refuses the work when there is none.
 */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #maxPerHolder: number;
  readonly #held = new Map<string, number>();
  #used = 0;
  #peak = 0;

  constructor({ maxBytes, maxPerHolder = maxBytes }: ByteBudgetOptions) {
    this.#maxBytes = maxBytes;
    this.#maxPerHolder = maxPerHolder;
  }

  get used(): number {
    return this.#used;
  }

  /** The most that was in use at a time since this was last asked. */
  takePeak(): number {
    const peak = this.#peak;
    this.#peak = this.#used;
    return peak;
  }

  heldBy(holder: string): number {
    return this.#held.get(holder) ?? 0;
  }

  /** Undefined when the room was there and is taken. */
  take(holder: string, bytes: number): NoRoom | undefined {
    const held = this.heldBy(holder) + bytes;
    if (held > this.#maxPerHolder) return 'holder';
    if (this.#used + bytes > this.#maxBytes) return 'total';
    this.#held.set(holder, held);
    this.#used += bytes;
    this.#peak = Math.max(this.#peak, this.#used);
    return undefined;
  }

  give(holder: string, bytes: number): void {
    const held = this.heldBy(holder) - bytes;
    this.#used -= bytes;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }

  /** Room for one thing that grows. */
  room(holder: string): Room {
    return new Room(this, holder);
  }
}

/** What one message, answer or stream holds of a budget. */
export class Room implements Disposable {
  readonly #budget: ByteBudget;
  readonly #holder: string;
  #size = 0;
  #taken = 0;

  constructor(budget: ByteBudget, holder: string) {
    this.#budget = budget;
    this.#holder = holder;
  }

  /** Asks for so much more; undefined when it is granted. Small things are not counted. */
  grow(bytes: number): NoRoom | undefined {
    const size = this.#size + bytes;
    if (size > UNCOUNTED_BYTES) {
      const refused = this.#budget.take(this.#holder, size - this.#taken);
      if (refused !== undefined) return refused;
      this.#taken = size;
    }
    this.#size = size;
    return undefined;
  }

  shrink(bytes: number): void {
    this.#size = Math.max(0, this.#size - bytes);
    if (this.#taken <= this.#size) return;
    this.#budget.give(this.#holder, this.#taken - this.#size);
    this.#taken = this.#size;
  }

  [Symbol.dispose](): void {
    this.shrink(this.#size);
  }
}
