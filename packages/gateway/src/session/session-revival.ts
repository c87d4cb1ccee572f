import type { SessionKeeping } from '@plugboard/contract';
import { buildNotification } from '@plugboard/wire';
import { bindingOfCaller } from '../call/caller.js';
import type { AnswerParts } from './answer-call.js';
import { HttpSession } from './http-session.js';
import type { ListenerParts, HttpTurn } from './http-turn.js';
import { announceTo, type OpenSessionParts } from './open-session.js';
import { resubscribe } from './resubscribe.js';
import { keptMs, type SessionJournal } from './session-journal.js';
import { SessionSeal } from './session-seal.js';
import { readState, type ReadState } from './session-state.js';

export interface SessionRevivalParts extends AnswerParts, OpenSessionParts, Pick<ListenerParts, 'sessions' | 'memory'> {
  readonly keeping: SessionKeeping;
  readonly journal: SessionJournal;
  readonly idleMs: number;
  /** Aborts when the hub stops. */
  readonly stopping: AbortSignal;
}

type Comer = Pick<HttpTurn, 'scope' | 'caller'>;

/** As the hub makes them. */
const SESSION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;
/** Two replicas that are asked at once take a session from each other. */
const MAX_CLAIMS = 3;

/**
 * Continues sessions that another process opened: a hub that was here before, or a replica that is gone. Only the caller
 * whose session it is gets it back, with the rights that it has now.
 */
export class SessionRevival {
  readonly #parts: SessionRevivalParts;
  readonly #running = new Map<string, Promise<void>>();

  constructor(parts: SessionRevivalParts) {
    this.#parts = parts;
  }

  /** Another process can continue the session, soon or when this resolves: it never rejects. */
  keep(holder: HttpSession): Promise<void> | undefined {
    return this.#parts.journal.keep(holder);
  }

  /** Puts the session into the table if it is kept and belongs to this caller. Rejects when the store does not answer. */
  revive(id: string, comer: Comer): Promise<void> {
    if (!SESSION_ID.test(id)) return Promise.resolve();
    const key = `${id} ${bindingOfCaller(comer.caller)}`;
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const revived = this.#revive(id, comer).finally(() => this.#running.delete(key));
    this.#running.set(key, revived);
    return revived;
  }

  async #revive(id: string, comer: Comer): Promise<void> {
    const found = await this.#take(id, comer);
    if (found === undefined || this.#parts.sessions.peek(id) !== undefined) return;
    const { sessions, memory, journal } = this.#parts;
    const { scope, caller } = comer;
    const past = found.readPast();
    const room = memory?.room(caller.principal);
    const holder = sessions.add(new HttpSession(scope, { ...found.client, caller }, { room, past }));
    const { session } = holder;
    session.wasUsed = true;
    announceTo(this.#parts, session);
    void journal.keep(holder);
    // Nobody told it of changes while nobody had it.
    session.channel.notify(buildNotification('notifications/tools/list_changed'));
    void resubscribe(this.#parts, session, past.subscriptions);
  }

  async #take(id: string, comer: Comer): Promise<ReadState | undefined> {
    const { keeping, journal } = this.#parts;
    const seal = new SessionSeal(id);
    if (journal.hasEnded(seal.key)) return undefined;
    for (let claim = 1; claim <= MAX_CLAIMS; claim += 1) {
      const kept = await keeping.load(seal.key);
      if (kept === undefined || kept.session.idleMs > keptMs(this.#parts.idleMs)) return undefined;
      const state = readState(id, kept, seal);
      if (state === undefined || state.endpoint !== comer.scope.id) return undefined;
      if (state.binding !== bindingOfCaller(comer.caller)) return undefined;
      if (await keeping.claim(seal.key, kept.session.generation)) return state;
    }
    return undefined;
  }
}
