import { setTimeout as wait } from 'node:timers/promises';
import type { FleetMember, FleetStore } from '@plugboard/registry';

export interface FleetMembersOptions {
  readonly store: Pick<FleetStore, 'beat' | 'leave'>;
  readonly self: FleetMember;
  /** Milliseconds that never go back. */
  readonly now?: (() => number) | undefined;
  /** Told when the store does not answer, once until it does. */
  readonly onFailure: (error: unknown) => void;
}

interface Known {
  readonly member: FleetMember;
  /** When it was last heard of, by the clock of this process. */
  readonly seenAt: number;
}

export const BEAT_MS = 2000;
/** A member that was not heard of for so long may be dead. */
export const SILENT_MS = 8000;
/** Two looks at the store because of somebody unknown are at least so far apart. */
const LOOK_MS = 500;

/**
 * Which processes share the store with this one. What was last known stays known while the store does not answer: whether
 * a member is there is found out by asking it.
 */
export class FleetMembers {
  readonly #options: FleetMembersOptions;
  readonly #known = new Map<string, Known>();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #beatAt = -Infinity;
  #isFailing = false;
  #stopped = false;

  constructor(options: FleetMembersOptions) {
    this.#options = options;
  }

  get self(): FleetMember {
    return this.#options.self;
  }

  /** The others that are known. */
  others(): readonly FleetMember[] {
    return [...this.#known.values()].map(({ member }) => member);
  }

  /** The members that were heard of lately, this one among them. */
  get liveCount(): number {
    return 1 + [...this.#known.values()].filter(({ seenAt }) => !this.#isSilent(seenAt)).length;
  }

  /** Joins the others, and looks for them from now on. */
  async start(): Promise<void> {
    await this.#beat();
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS);
    this.#timer.unref();
  }

  /** The member with this id; the store is asked when it is not known. */
  async find(id: string): Promise<FleetMember | undefined> {
    const known = this.#known.get(id);
    if (known !== undefined) return known.member;
    if (this.#now() - this.#beatAt >= LOOK_MS) await this.#beat();
    return this.#known.get(id)?.member;
  }

  /** Was it heard of lately? */
  isHeard(id: string): boolean {
    const known = this.#known.get(id);
    return known !== undefined && !this.#isSilent(known.seenAt);
  }

  /** The same, as the store knows it now: somebody unknown may have joined since the last look. */
  async isThere(id: string): Promise<boolean> {
    if (this.isHeard(id)) return true;
    const askedAt = this.#now();
    const waitMs = this.#beatAt + LOOK_MS - askedAt;
    if (waitMs > 0) await wait(waitMs, undefined, { ref: false });
    // A look that began before does not count.
    await this.#beating;
    if (this.#beatAt <= askedAt) await this.#beat();
    return this.isHeard(id);
  }

  /** Its process is not there any more. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#beating;
    await this.#options.store.leave(this.self.id).catch(() => undefined);
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  #isSilent(seenAt: number): boolean {
    return this.#now() - seenAt >= SILENT_MS;
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#look().finally(() => (this.#beating = undefined));
    return this.#beating;
  }

  async #look(): Promise<void> {
    if (this.#stopped) return;
    const { store, self, onFailure } = this.#options;
    this.#beatAt = this.#now();
    try {
      const seen = await store.beat(self);
      const now = this.#now();
      this.#known.clear();
      for (const { ageMs, ...member } of seen) {
        if (member.id !== self.id) this.#known.set(member.id, { member, seenAt: now - ageMs });
      }
      this.#isFailing = false;
    } catch (thrown) {
      if (!this.#isFailing) onFailure(thrown);
      this.#isFailing = true;
    }
  }
}
