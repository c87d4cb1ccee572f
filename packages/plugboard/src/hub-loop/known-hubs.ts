import { PlugboardError, type Server, type ServerId } from '@plugboard/contract';
import { HUBS_META } from '@plugboard/gateway';

const MAX_HUBS = 256;
const MAX_ID_CHARS = 64;

const isId = (value: unknown): value is string => typeof value === 'string' && value.length <= MAX_ID_CHARS;

const hubsIn = (meta: Readonly<Record<string, unknown>> | undefined): readonly string[] => {
  const told = meta?.[HUBS_META];
  return Array.isArray(told) ? told.slice(0, MAX_HUBS).filter(isId) : [];
};

/**
 * Which hubs stand behind the registered servers, by their own word. Hubs that are servers of each other would list their
 * own tools among the other's, and more of them with every sync.
 */
export class KnownHubs {
  readonly #own: string;
  readonly #offersTools: (id: ServerId) => boolean;
  readonly #behind = new Map<ServerId, readonly string[]>();

  /** @param offersTools whether tools of the server are known from before. */
  constructor(own: string, offersTools: (id: ServerId) => boolean) {
    this.#own = own;
    this.#offersTools = offersTools;
  }

  /** This hub, and all behind these servers. */
  readonly behind = (servers: readonly Pick<Server, 'id'>[]): readonly string[] =>
    [...new Set([this.#own, ...servers.flatMap(({ id }) => this.#behind.get(id) ?? [])])].slice(0, MAX_HUBS);

  /** Takes what came with a list of tools. Throws LOOP_DETECTED when the server leads back to this hub. */
  heard(id: ServerId, meta: Readonly<Record<string, unknown>> | undefined): void {
    const hubs = hubsIn(meta);
    const isLoop = hubs.includes(this.#own);
    // A server that is refused leads nowhere, unless tools of an earlier list are still offered.
    if (hubs.length === 0 || (isLoop && !this.#offersTools(id))) this.forget(id);
    else this.#behind.set(id, hubs);
    if (!isLoop) return;
    throw new PlugboardError('LOOP_DETECTED', 'This server is a hub that has this hub among its servers.', {
      hint: 'Remove the server that leads back to this hub, here or there, and register the servers behind it instead.',
    });
  }

  forget(id: ServerId): void {
    this.#behind.delete(id);
  }
}
