import type { LimitAsk, LimitGrant } from '@plugboard/contract';

/** A process that uses the store. */
export interface FleetMember {
  /** Of one run of one process: eight hexadecimal digits. */
  readonly id: string;
  /** Where the others reach it. */
  readonly url: string;
  readonly version: string;
}

/** A member as the store knows it. */
export interface SeenMember extends FleetMember {
  /** How long ago it was last heard of, by the clock of the store. */
  readonly ageMs: number;
}

/** The right to do something that only one process may do at a time. */
export interface HeldLease {
  readonly name: string;
  readonly holder: string;
  /** Grows with every change of the holder: what carries an older one is refused. */
  readonly token: number;
  /** For how long from the moment of the request it is sure; 0 or less when it has expired. */
  readonly leftMs: number;
}

export interface LeaseOutcome {
  /** Did the one who asked get it, or keep it? */
  readonly granted: boolean;
  readonly lease: HeldLease;
}

/** What the processes on one store know of each other. Each operation is atomic, and none waits for another process. */
export interface FleetStore {
  /** Notes that the member is there, and returns all members, those included that were not heard of for long. */
  beat(member: FleetMember): Promise<readonly SeenMember[]>;
  leave(id: string): Promise<void>;
  /** Takes a lease that is free or has expired. The holder keeps its token. */
  acquire(name: string, holder: string, ttlMs: number): Promise<LeaseOutcome>;
  /** Undefined when somebody else holds it, or did since. */
  renew(lease: Pick<HeldLease, 'name' | 'holder' | 'token'>, ttlMs: number): Promise<HeldLease | undefined>;
  /** Who continues a session; null while that is the one that opened it, undefined when it is not kept. */
  sessionHolder(key: string): Promise<string | null | undefined>;
  /** Makes a member the holder of a session, if the holder is still the one that was seen. */
  takeSession(key: string, change: { readonly from: string | null; readonly to: string }): Promise<boolean>;
  /** Frees it at once, if it is still held with this token. */
  release(lease: Pick<HeldLease, 'name' | 'holder' | 'token'>): Promise<void>;
  /** Hands out tokens and places of limits that all processes share; one grant for each ask, in their order. */
  lend(holder: string, asks: readonly LimitAsk[]): Promise<readonly LimitGrant[]>;
}
