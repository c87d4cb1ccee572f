import type { CheckEra, CheckTargetAddress } from '@plugboard/contract';
import { authenticated } from '../auth/authenticated.js';
import { findFacts } from '../discovery/find-facts.js';
import { openLink } from '../locate/open-link.js';
import type { PlaceOptions } from '../locate/place.js';
import type { Session } from '../session/session.js';
import { secretMask, type Mask } from '../target/mask-secrets.js';
import { checkTarget } from '../target/target.js';

/** Takes the secrets that addresses hold out of a text. */
export const maskOf = (addresses: readonly CheckTargetAddress[]): Mask => {
  const masks = addresses.flatMap((address) => {
    const { success, data } = checkTarget.safeParse({ ...address });
    return success ? [secretMask(data)] : [];
  });
  return (text) => masks.reduce((masked, mask) => mask(masked), text);
};

/** The conversations of one run: each server is opened by the first step that uses it, and all are closed at the end. */
export class Connections {
  readonly #open = new Map<string, Promise<Session>>();
  readonly #masks: Mask[] = [];
  readonly #servers: Readonly<Record<string, CheckTargetAddress>>;
  readonly #era: CheckEra | undefined;
  readonly #options: PlaceOptions;
  readonly #life = new AbortController();

  constructor(servers: Connections['servers'], era: CheckEra | undefined, options: PlaceOptions) {
    this.#servers = servers;
    this.#era = era;
    this.#options = options;
    this.#masks.push(maskOf(Object.values(servers)));
  }

  get servers(): Readonly<Record<string, CheckTargetAddress>> {
    return this.#servers;
  }

  /** Takes the secrets of all servers out of a text. */
  readonly mask: Mask = (text) => this.#masks.reduce((masked, mask) => mask(masked), text);

  session(name: string): Promise<Session> {
    const opened = this.#open.get(name) ?? this.#openNow(name);
    this.#open.set(name, opened);
    return opened;
  }

  async close(): Promise<void> {
    this.#life.abort();
    const sessions = await Promise.allSettled(this.#open.values());
    await Promise.allSettled(sessions.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
  }

  async #openNow(name: string): Promise<Session> {
    const { signal } = this.#life;
    const given = checkTarget.parse({ ...this.#servers[name] });
    const target = await authenticated(given, { ...this.#options, ms: given.budgets.requestMs, signal });
    this.#masks.push(secretMask(target));
    const link = await openLink(target, this.#options, signal);
    const { sessions } = await findFacts(link, this.#era);
    const session = sessions.modern ?? sessions.legacy;
    for (const other of Object.values(sessions)) if (other !== session) await other.close();
    if (session === undefined) throw new Error(`The server "${name}" requires a token.`);
    return session;
  }
}
