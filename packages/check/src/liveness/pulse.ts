import type { CheckEra } from '@plugboard/contract';
import { pause } from '../connection/deadline.js';
import { openHttpExchange } from '../connection/http-exchange.js';
import { Transcript } from '../connection/transcript.js';
import type { ServerFacts } from '../discovery/server-facts.js';
import { Observations } from '../session/observations.js';
import type { Death } from '../session/death.js';
import { enveloped, requestMessage } from '../session/envelope.js';
import { BASE_HEADERS, mirroredHeaders } from '../session/http-headers.js';
import type { Link } from '../session/link.js';
import { openSession } from '../session/open-session.js';
import { LATEST } from '../session/revision.js';
import type { Session } from '../session/session.js';
import { httpSettings } from '../session/sse-channel.js';
import { DeathLog } from './death-log.js';
import { lastContact, lastSignOfLife } from './last-contact.js';

/** alive: it answers. revived: it had gone, and a new conversation could be opened. dead: nothing answers any more. */
export type PulseState = 'alive' | 'revived' | 'dead';

const KNOCK_MS = 3_000;
const PATIENT_MS = 8_000;
const BETWEEN_MS = 400;

const plainMethod = (era: CheckEra): string => (era === 'legacy' ? 'ping' : 'server/discover');

/** Finds out whether the target still answers, and remembers each time that it did not. */
export class Pulse {
  readonly #link: Link;
  readonly #facts: ServerFacts;
  readonly #log = new DeathLog();
  readonly #onRevival: () => void;
  #feeling: Promise<PulseState> | undefined;
  #diedAt: number | undefined;

  constructor(link: Link, facts: ServerFacts, onRevival: () => void) {
    // What is sent to feel the pulse is no part of what the server is judged by.
    this.#link = { ...link, observations: new Observations(), transcript: new Transcript(), onDeath: undefined };
    this.#facts = facts;
    this.#onRevival = onRevival;
    this.watched = link.transcript;
  }

  /** The transcript of the run. */
  readonly watched: Transcript;

  get deaths(): readonly Death[] {
    return this.#log.deaths;
  }

  /** When it last said anything, in the time of the transcript; undefined while it lives. */
  get diedAt(): number | undefined {
    return this.#diedAt;
  }

  /** The same end of the same request is told of once. */
  report(death: Death): void {
    this.#log.record(death);
  }

  /** However many ask at the same time, the server is asked once. */
  feel(): Promise<PulseState> {
    if (this.#diedAt !== undefined) return Promise.resolve('dead');
    this.#feeling ??= this.#feel().finally(() => {
      this.#feeling = undefined;
    });
    return this.#feeling;
  }

  async #feel(): Promise<PulseState> {
    if (this.#link.signal.aborted) return 'alive';
    const state = this.#link.place.transport === 'stdio' ? await this.#ofProgram() : await this.#ofAddress();
    if (this.#link.signal.aborted) return 'alive';
    if (state === 'dead') this.#diedAt = lastSignOfLife(this.watched);
    if (state === 'revived') this.#onRevival();
    return state;
  }

  async #ofProgram(): Promise<PulseState> {
    let state: PulseState = 'alive';
    for (const session of Object.values(this.#facts.sessions)) {
      if (session.death === undefined && (await this.#answers(session))) continue;
      const { death } = session;
      const fresh = await openSession(this.#link, { era: session.era }).catch(() => undefined);
      if (death === undefined && (fresh === undefined || !(await this.#answers(fresh)))) {
        // It runs, and no new process answers this either: it merely does not answer what was asked here.
        await fresh?.close();
        continue;
      }
      // On a busy machine an answer may take longer than the first knock waits.
      if (death === undefined && session.death === undefined && (await this.#answers(session, PATIENT_MS))) {
        await fresh?.close();
        continue;
      }
      this.report(death ?? session.silence());
      if (fresh === undefined) return 'dead';
      this.#facts.sessions[session.era] = fresh;
      await session.close();
      state = 'revived';
    }
    return state;
  }

  async #answers(session: Session, timeoutMs = KNOCK_MS): Promise<boolean> {
    return await session.request(plainMethod(session.era), undefined, { timeoutMs }).then(
      () => true,
      () => false,
    );
  }

  async #ofAddress(): Promise<PulseState> {
    const { legacy } = this.#facts.sessions;
    // Over HTTP+SSE only the stream answers.
    if (legacy?.transport === 'sse' && !legacy.isLost && (await this.#answers(legacy))) return 'alive';
    const status = (await this.#knock(KNOCK_MS)) ?? (await pause(BETWEEN_MS), await this.#knock(PATIENT_MS));
    if (status === undefined) {
      if (this.#link.signal.aborted) return 'alive';
      const exchange = lastContact(this.watched) ?? { sent: '', received: '', connection: 0, recipe: undefined };
      const where = this.#link.place.transport === 'stdio' ? '' : ` at ${this.#link.place.url}`;
      this.report({ detail: `Nothing answers${where} any longer.`, exchange });
      return 'dead';
    }
    return await this.#renewed();
  }

  /** Conversations that the server has forgotten, for example after a restart, are opened again. */
  async #renewed(): Promise<PulseState> {
    let state: PulseState = 'alive';
    for (const session of Object.values(this.#facts.sessions)) {
      if (!session.isLost && !(await this.#isForgotten(session))) continue;
      const fresh = await openSession(this.#link, { era: session.era }).catch(() => undefined);
      if (fresh?.opening.result === undefined) continue;
      this.#facts.sessions[session.era] = fresh;
      state = 'revived';
    }
    return state;
  }

  async #isForgotten(session: Session): Promise<boolean> {
    if (session.sessionId === undefined) return false;
    const asked = session.request(plainMethod(session.era), undefined, { timeoutMs: KNOCK_MS });
    return (await asked.catch(() => undefined))?.http?.status === 404;
  }

  /** The status of any HTTP answer; undefined when none came. */
  async #knock(ms: number): Promise<number | undefined> {
    const { place } = this.#link;
    if (place.transport === 'stdio') return undefined;
    const era = this.#facts.eras[0] ?? 'legacy';
    const message = requestMessage(0, plainMethod(era), enveloped(undefined, { era, revision: LATEST[era] }, {}));
    const asked =
      place.transport === 'sse'
        ? { method: 'GET', url: place.url, headers: { accept: 'text/event-stream', ...place.headers } }
        : {
            method: 'POST',
            url: place.url,
            headers: { ...BASE_HEADERS, ...(era === 'modern' ? mirroredHeaders(message) : {}), ...place.headers },
            body: JSON.stringify(message),
          };
    return await openHttpExchange(asked, httpSettings(this.#link, ms)).then(
      (http) => {
        http.close();
        return http.status;
      },
      () => undefined,
    );
  }
}
