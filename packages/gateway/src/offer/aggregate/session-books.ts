import { isDeepStrictEqual } from 'node:util';
import { jsonSize, type Server, type ServerId } from '@plugboard/contract';
import type { JsonObject } from '@plugboard/wire';
import type { ClientSession } from '../../call/mcp-call.js';
import { textAt } from '../../rpc/members.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { UpstreamPool } from '../../connection/upstream-pool.js';
import { LIST_SHAPES, type ListKind } from './list-kind.js';
import { OfferBook } from './offer-book.js';

export type OfferArea = 'prompts' | 'resources';

interface OwnBook {
  readonly link: UpstreamLink;
  readonly book: OfferBook;
  /** What the server said to have changed for the session; the rest is as for everybody. */
  readonly areas: Set<OfferArea>;
}

/** What a page of a session may hold that others have not; what comes after that is left out. */
const MAX_ITEMS = 500;
const MAX_CHARACTERS = 1_000_000;

/** The items, those that everybody has as the objects that are kept for everybody. */
const sharing = (kind: ListKind, items: readonly JsonObject[], all: readonly JsonObject[]): readonly JsonObject[] => {
  const { key } = LIST_SHAPES[kind];
  const known = new Map(all.map((item) => [textAt(item, key), item]));
  let room = MAX_CHARACTERS;
  let own = 0;
  return items.flatMap((item) => {
    const same = known.get(textAt(item, key));
    if (same !== undefined && isDeepStrictEqual(same, item)) return [same];
    own += 1;
    room -= jsonSize(item, room);
    return own > MAX_ITEMS || room < 0 ? [] : [item];
  });
};

/**
 * Prompts, resources and templates of servers that said on the connection of one session that these changed. They are
 * read on that connection, and forgotten with it.
 */
export class SessionBooks {
  readonly #upstream: UpstreamPool;
  readonly #books = new Map<ClientSession, Map<ServerId, OwnBook>>();

  constructor(upstream: UpstreamPool) {
    this.#upstream = upstream;
  }

  find(session: ClientSession, { id }: Server, kind: ListKind): OfferBook | undefined {
    const own = this.#books.get(session)?.get(id);
    return own?.areas.has(LIST_SHAPES[kind].capability) === true ? own.book : undefined;
  }

  /** The server says on this connection that a list changed. */
  note(link: UpstreamLink, area: OfferArea, shared: (server: Server) => OfferBook): void {
    const { session } = link.identity;
    if (session === undefined) return;
    const ofSession = this.#books.get(session) ?? new Map<ServerId, OwnBook>();
    if (!this.#books.has(session)) session.onEnd(() => this.#books.delete(session));
    this.#books.set(session, ofSession);
    const known = ofSession.get(link.server.id);
    const own = known?.link === link ? known : { link, book: this.#newBook(link, shared), areas: new Set<OfferArea>() };
    ofSession.set(link.server.id, own);
    own.areas.add(area);
    own.book.invalidate(link.server.id, area);
  }

  /** The session behind a connection is another one now. The answer says which lists may have changed by that. */
  renew(link: UpstreamLink): readonly OfferArea[] {
    const own = this.#of(link);
    for (const area of own?.areas ?? []) own?.book.invalidate(link.server.id, area);
    return [...(own?.areas ?? [])];
  }

  forget(link: UpstreamLink): readonly OfferArea[] {
    const own = this.#of(link);
    const { session } = link.identity;
    if (own !== undefined && session !== undefined) this.#books.get(session)?.delete(link.server.id);
    return [...(own?.areas ?? [])];
  }

  #of(link: UpstreamLink): OwnBook | undefined {
    const { session } = link.identity;
    const own = session && this.#books.get(session)?.get(link.server.id);
    return own?.link === link ? own : undefined;
  }

  #newBook(link: UpstreamLink, shared: (server: Server) => OfferBook): OfferBook {
    return new OfferBook({
      upstream: this.#upstream,
      use: async (work) => {
        const letGo = link.hold();
        try {
          return await work(link.client);
        } finally {
          letGo();
        }
      },
      keep: (server, kind, items) => sharing(kind, items, shared(server).known(server, kind)),
    });
  }
}
