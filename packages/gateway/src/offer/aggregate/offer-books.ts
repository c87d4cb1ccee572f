import type { Server } from '@plugboard/contract';
import type { ClientSession } from '../../call/mcp-call.js';
import type { UpstreamLink } from '../../connection/upstream-link.js';
import type { LinkUse, UpstreamPool } from '../../connection/upstream-pool.js';
import type { ListKind } from './list-kind.js';
import { OfferBook } from './offer-book.js';
import { type OfferArea, SessionBooks } from './session-books.js';

/** What servers offer, as one caller may see it. */
export type Offers = Pick<OfferBook, 'known' | 'firstPage' | 'laterPage' | 'readOn'>;

export interface OfferBooksOptions {
  readonly upstream: UpstreamPool;
  readonly maxBooks?: number | undefined;
}

const DEFAULT_MAX_BOOKS = 1000;

/** A server may show each caller something else, so those who use other variables or logins have books of their own. */
export class OfferBooks {
  readonly ofSessions: SessionBooks;
  readonly #options: OfferBooksOptions;
  /** By what decides how a server is reached. */
  readonly #books = new Map<string, OfferBook>();

  constructor(options: OfferBooksOptions) {
    this.#options = options;
    this.ofSessions = new SessionBooks(options.upstream);
  }

  get size(): number {
    return this.#books.size;
  }

  /** `session`: which may have lists of its own. */
  for(user: LinkUse, session?: ClientSession): Offers {
    const of = (server: Server, kind: ListKind): OfferBook =>
      (session && this.ofSessions.find(session, server, kind)) ?? this.#book(server, user);
    return {
      known: (server, kind) => of(server, kind).known(server, kind),
      firstPage: (server, kind) => of(server, kind).firstPage(server, kind),
      laterPage: (server, kind, cursor) => of(server, kind).laterPage(server, kind, cursor),
      readOn: (server, kind) => of(server, kind).readOn(server, kind),
    };
  }

  /** A server says on this connection that a list changed: for everybody, or for the session that it belongs to. */
  changed(link: UpstreamLink, area: OfferArea): void {
    this.invalidate(link.server.id, area);
    const { session } = link.identity;
    if (session !== undefined) this.ofSessions.note(link, area, (server) => this.#book(server, session.client.caller));
  }

  /** The server says that a list changed: what anybody keeps of it counts as old. */
  invalidate(...what: Parameters<OfferBook['invalidate']>): void {
    for (const book of this.#books.values()) book.invalidate(...what);
  }

  /** Forgets servers that are gone. */
  retain(ids: ReadonlySet<string>): void {
    for (const book of this.#books.values()) book.retain(ids);
  }

  #book(server: Server, user: LinkUse): OfferBook {
    const { upstream, maxBooks = DEFAULT_MAX_BOOKS } = this.#options;
    const { key } = upstream.plainIdentity(server, user);
    const known = this.#books.get(key);
    if (known !== undefined) return known;
    const oldest = this.#books.keys().next();
    if (this.#books.size >= maxBooks && oldest.done !== true) this.#books.delete(oldest.value);
    const book = new OfferBook({ upstream, user });
    this.#books.set(key, book);
    return book;
  }
}
