/** Requests overtake each other on their connections, but not by so many. A power of two. */
export const WINDOW = 16_384;

interface Seen {
  highest: number;
  /** One bit for each of the last numbers. */
  readonly bits: Uint8Array;
}

const BITS = 8;
const placeOf = (number: number): { readonly at: number; readonly bit: number } => {
  const place = number % WINDOW;
  return { at: Math.floor(place / BITS), bit: 1 << (place % BITS) };
};

const set = ({ bits }: Seen, number: number, isSeen: boolean): void => {
  const { at, bit } = placeOf(number);
  bits[at] = isSeen ? (bits[at] ?? 0) | bit : (bits[at] ?? 0) & ~bit;
};

/**
 * Which requests of other processes were accepted. A neighbour on the network who saw one cannot send it again. No clock is
 * needed: the numbers of a process grow, and both sides of a proof are runs of processes, which never come back.
 */
export class UsedProofs {
  readonly #bySender = new Map<string, Seen>();

  /** Is this the first time? What is too old to be known counts as used. */
  use({ from, number }: { readonly from: string; readonly number: number }): boolean {
    const seen = this.#bySender.get(from) ?? { highest: 0, bits: new Uint8Array(WINDOW / BITS) };
    this.#bySender.set(from, seen);
    if (number <= seen.highest - WINDOW) return false;
    if (number > seen.highest) {
      if (number - seen.highest >= WINDOW) seen.bits.fill(0);
      else for (let each = seen.highest + 1; each < number; each += 1) set(seen, each, false);
      seen.highest = number;
    } else {
      const { at, bit } = placeOf(number);
      if (((seen.bits[at] ?? 0) & bit) !== 0) return false;
    }
    set(seen, number, true);
    return true;
  }
}

/** At least so many random words are remembered, and at most twice as many. */
export const NONCES = 65_536;

/**
 * Which requests of replicas of the version before were accepted. Their proofs have random words, which have no order: the
 * oldest are forgotten when there are too many.
 */
export class UsedNonces {
  #recent = new Set<string>();
  #older: ReadonlySet<string> = new Set();

  /** Is this the first time, as far as is known? */
  use(nonce: string): boolean {
    if (this.#recent.has(nonce) || this.#older.has(nonce)) return false;
    if (this.#recent.size >= NONCES) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    this.#recent.add(nonce);
    return true;
  }
}
