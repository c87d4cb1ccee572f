import type { EraRefusal } from '@plugboard/client';
import type { Server, ServerId } from '@plugboard/contract';
import { type Era, LATEST_LEGACY } from '@plugboard/wire';
import type { ClientFacts, ClientSession } from '../call/mcp-call.js';
import { profileOf } from './capability-profile.js';
import { sameFacts, type ServerFacts } from './server-facts.js';

/** Who wants to meet a server. */
export interface EraUser {
  readonly client: Pick<ClientFacts, 'revision' | 'capabilities'>;
  readonly session: ClientSession | undefined;
}

/** A modern server rejected the legacy greeting. */
interface Refusal {
  readonly until: number;
  readonly trustMs: number;
  /** Did it say that it does not speak the era? */
  readonly isCertain: boolean;
}

interface Known {
  /** What the server said of itself, in each era that it was met in. */
  readonly facts: Partial<Record<Era, ServerFacts>>;
  readonly refusal?: Refusal | undefined;
}

const HOUR_MS = 3_600_000;
/** A verdict that was stored holds for a day: servers are updated. */
const STORED_MS = 24 * HOUR_MS;
const DOUBT_MS = 60_000;

/** How long a refusal counts: a server that fails for unknown reasons again and again is asked less and less often. */
const trustIn = (refusal: EraRefusal, before: Refusal | undefined): number => {
  if (refusal === 'refused') return HOUR_MS;
  return before === undefined ? DOUBT_MS : Math.min(before.trustMs * 4, HOUR_MS);
};

/** A stored verdict is not stored again: each has a test of its own behind it. */
const storedRefusal = ({ protocol }: Server): Refusal | undefined =>
  protocol?.eras?.includes('legacy') === false
    ? { until: Date.parse(protocol.checked_at) + STORED_MS, trustMs: HOUR_MS, isCertain: false }
    : undefined;

const isSameServer = (one: ServerFacts, other: ServerFacts | undefined): boolean =>
  other === undefined || JSON.stringify(one.serverInfo) === JSON.stringify(other.serverInfo);

/** What is assumed of the legacy side of a modern server until it has answered. */
export const asLegacy = (modern: ServerFacts): ServerFacts => ({
  ...modern,
  era: 'legacy',
  pinned: true,
  revision: LATEST_LEGACY,
  hasSessions: true,
});

const canBeAsked = ({ capabilities }: EraUser['client']): boolean => profileOf(capabilities).key !== '';

/** Which eras each server speaks, as far as that was found out, and what it said of itself in each. */
export class ServerEras {
  readonly #known = new Map<ServerId, Known>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** A connection was opened. */
  note(server: Server, facts: ServerFacts): void {
    const known = this.#known.get(server.id);
    const kept = known?.facts ?? {};
    // What is derived from facts is kept for as long as they are the same object.
    if (sameFacts(facts, kept[facts.era])) return;
    this.#known.set(server.id, this.#learned(server, facts, known));
  }

  /** The legacy greeting failed at a server that is known to be modern. */
  noteRefusal(id: ServerId, refusal: EraRefusal): void {
    const known = this.#known.get(id);
    const modern = known?.facts.modern;
    if (modern === undefined) return;
    const trustMs = trustIn(refusal, known?.refusal);
    const until = this.#now() + trustMs;
    this.#known.set(id, { facts: { modern }, refusal: { until, trustMs, isCertain: refusal === 'refused' } });
  }

  /** What the server said of itself to clients of this era, or to others when it was not met in it. */
  facts(id: ServerId, era: Era = 'modern'): ServerFacts | undefined {
    const { legacy, modern } = this.#known.get(id)?.facts ?? {};
    return era === 'modern' ? (modern ?? legacy) : (legacy ?? modern);
  }

  /** Every era that the server speaks; undefined while that is not known. */
  eras(id: ServerId): readonly Era[] | undefined {
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    const { legacy, modern } = known.facts;
    if (modern === undefined) return ['legacy'];
    if (legacy !== undefined) return ['legacy', 'modern'];
    return known.refusal?.isCertain === true && this.#refuses(known) ? ['modern'] : undefined;
  }

  /**
   * The side of the server that a client meets: that of its own era, where the server has it. Undefined while that is
   * not known. Only sessions are worth a legacy connection beside a modern one; and where the legacy side has no
   * sessions, it cannot ask its clients anything, so those that can be asked are bridged to the modern side.
   */
  meet(id: ServerId, { client, session }: EraUser): ServerFacts | undefined {
    const known = this.#known.get(id);
    if (known === undefined) return undefined;
    const { legacy, modern } = known.facts;
    if (modern === undefined || client.revision.era === 'modern' || session === undefined) return modern ?? legacy;
    if (legacy !== undefined) return legacy.hasSessions || !canBeAsked(client) ? legacy : modern;
    return this.#refuses(known) ? modern : undefined;
  }

  forget(id: ServerId): void {
    this.#known.delete(id);
  }

  #refuses({ refusal }: Known): boolean {
    return refusal !== undefined && this.#now() < refusal.until;
  }

  #learned(server: Server, facts: ServerFacts, known: Known | undefined): Known {
    const { legacy, modern } = known?.facts ?? {};
    if (facts.pinned) return { facts: { ...known?.facts, [facts.era]: facts } };
    // It was asked for the modern era first.
    if (facts.era === 'legacy') return { facts: { legacy: facts } };
    const refusal = known === undefined ? storedRefusal(server) : known.refusal;
    return {
      facts: { modern: facts, ...(legacy?.pinned === true ? { legacy } : {}) },
      refusal: isSameServer(facts, modern) ? refusal : undefined,
    };
  }
}
