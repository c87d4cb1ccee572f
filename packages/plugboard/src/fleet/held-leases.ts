import type { FleetStore, HeldLease } from '@plugboard/registry';

export interface HeldLeasesOptions {
  readonly store: Pick<FleetStore, 'acquire' | 'renew' | 'release'>;
  readonly holder: string;
  readonly ttlMs: number;
  /** A lease counts as lost this long before another process can take it: what was done under it is ended meanwhile. */
  readonly marginMs: number;
  /** Is there no other process that could take a lease while the store does not answer? */
  readonly isAlone: () => boolean;
  /** The lease is no longer held: nothing may be done under it from now on. */
  readonly onLost: (name: string) => void;
  /** Milliseconds that never go back: the clocks of machines may differ, and may be set. */
  readonly now?: (() => number) | undefined;
}

/** Who holds a lease. */
export interface LeaseView {
  readonly isMine: boolean;
  readonly holder: string;
  readonly token: number;
}

interface Known extends LeaseView {
  /** Until then it is sure. */
  readonly deadline: number;
}

/**
 * The leases of this process, and what it knows of those of others. Whether a lease is held is answered from memory: the
 * store is asked when nothing is known, and to renew.
 */
export class HeldLeases {
  readonly #options: HeldLeasesOptions;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<LeaseView>>();

  constructor(options: HeldLeasesOptions) {
    this.#options = options;
  }

  /** Who holds it, as far as that is sure without asking. */
  peek(name: string): LeaseView | undefined {
    const known = this.#known.get(name);
    if (known === undefined) return undefined;
    if (this.#now() < known.deadline) return known;
    if (known.isMine && this.#options.isAlone()) return known;
    this.#drop(name, known);
    return undefined;
  }

  /** May this process act under the lease with this token? */
  holds(name: string, token: number): boolean {
    const view = this.peek(name);
    return view?.isMine === true && view.token === token;
  }

  /** Who holds it; this process if nobody did. Rejects when the store does not answer. */
  async resolve(name: string): Promise<LeaseView> {
    const known = this.peek(name);
    if (known !== undefined) return known;
    const asking = this.#asking.get(name) ?? this.#ask(name).finally(() => this.#asking.delete(name));
    this.#asking.set(name, asking);
    return asking;
  }

  /** What is known of somebody else's lease is wrong. */
  doubt(name: string): void {
    if (this.#known.get(name)?.isMine === false) this.#known.delete(name);
  }

  /** Renews the leases of this process, and notices those that are lost. To be called several times within their time. */
  async renew(): Promise<void> {
    this.expire();
    for (const [name, known] of this.#known) if (known.isMine) await this.#renewOne(name, known);
  }

  /** Notices leases whose time is up, also while the store does not answer. To be called several times within the margin. */
  expire(): void {
    for (const name of this.#known.keys()) this.peek(name);
  }

  /** Frees all leases of this process. */
  async releaseAll(): Promise<void> {
    const own = [...this.#known].filter(([, { isMine }]) => isMine);
    this.#known.clear();
    const { store, holder } = this.#options;
    await Promise.allSettled(own.map(([name, { token }]) => store.release({ name, holder, token })));
  }

  async #renewOne(name: string, { token }: Known): Promise<void> {
    const { store, holder, ttlMs } = this.#options;
    const askedAt = this.#now();
    let lease: HeldLease | undefined;
    try {
      lease = await store.renew({ name, holder, token }, ttlMs);
    } catch {
      // It stays until its time is up.
      this.peek(name);
      return;
    }
    const now = this.#known.get(name);
    if (now?.isMine !== true || now.token !== token) return;
    if (lease === undefined) this.#drop(name, now);
    else this.#note(lease, askedAt);
  }

  async #ask(name: string): Promise<LeaseView> {
    const askedAt = this.#now();
    const { lease } = await this.#options.store.acquire(name, this.#options.holder, this.#options.ttlMs);
    return this.#note(lease, askedAt);
  }

  #note({ name, holder, token, leftMs }: HeldLease, askedAt: number): LeaseView {
    const isMine = holder === this.#options.holder;
    const deadline = askedAt + leftMs - (isMine ? this.#options.marginMs : 0);
    const known = { isMine, holder, token, deadline };
    this.#known.set(name, known);
    return known;
  }

  #drop(name: string, { isMine }: Known): void {
    this.#known.delete(name);
    if (isMine) this.#options.onLost(name);
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }
}
