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

interface Known {
  /** What the server said of itself, in each era that it was met in. */
  readonly facts: Partial<Record<Era, ServerFacts>>;
  /** Until then it counts as a server without the legacy era. */
  noLegacyUntil: number;
  /** Did it say so itself? */
  isCertain: boolean;
}

const HOUR_MS = 3_600_000;
/** A verdict that was stored holds for a day: servers are updated. */
const STORED_MS = 24 * HOUR_MS;
const TRUST_MS: Readonly<Record<EraRefusal, number>> = { refused: HOUR_MS, doubtful: 60_000 };

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
  note({ id, protocol }: Server, facts: ServerFacts): void {
    const known = this.#known.get(id);
    const kept = known?.facts ?? {};
    // What is derived from facts is kept for as long as they are the same object.
    if (sameFacts(facts, kept[facts.era])) return;
    if (facts.pinned) {
      this.#known.set(id, { facts: { ...kept, [facts.era]: facts }, noLegacyUntil: 0, isCertain: false });
      return;
    }
    if (facts.era === 'legacy') {
      // It was asked for the modern era first.
      this.#known.set(id, { facts: { legacy: facts }, noLegacyUntil: 0, isCertain: false });
      return;
    }
    const isStored = known === undefined && protocol?.eras?.includes('legacy') === false;
    this.#known.set(id, {
      facts: { modern: facts, ...(kept.legacy?.pinned === true ? { legacy: kept.legacy } : {}) },
      noLegacyUntil: isStored ? Date.parse(protocol.checked_at) + STORED_MS : (known?.noLegacyUntil ?? 0),
      isCertain: isStored || known?.isCertain === true,
    });
  }

  /** The legacy greeting failed at a server that is known to be modern. */
  noteRefusal(id: ServerId, refusal: EraRefusal): void {
    const modern = this.#known.get(id)?.facts.modern;
    if (modern === undefined) return;
    const noLegacyUntil = this.#now() + TRUST_MS[refusal];
    this.#known.set(id, { facts: { modern }, noLegacyUntil, isCertain: refusal === 'refused' });
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
    return known.isCertain ? ['modern'] : undefined;
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
    return this.#now() < known.noLegacyUntil ? modern : undefined;
  }

  forget(id: ServerId): void {
    this.#known.delete(id);
  }
}
