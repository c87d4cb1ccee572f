import type { ClientSession } from '../call/mcp-call.js';
import type { UpstreamLink } from './upstream-link.js';

/** Which connections serve which session: they end with it. A session listens for its end once, however many it uses. */
export class SessionLinks {
  readonly #links = new Map<ClientSession, Set<UpstreamLink>>();
  readonly #close: (link: UpstreamLink) => void;

  constructor(close: (link: UpstreamLink) => void) {
    this.#close = close;
  }

  add(link: UpstreamLink): void {
    const { session } = link.identity;
    if (session === undefined) return;
    const known = this.#links.get(session);
    if (known !== undefined) {
      known.add(link);
      return;
    }
    const links = new Set([link]);
    this.#links.set(session, links);
    session.onEnd(() => {
      this.#links.delete(session);
      for (const each of links) this.#close(each);
    });
  }

  remove(link: UpstreamLink): void {
    const { session } = link.identity;
    if (session !== undefined) this.#links.get(session)?.delete(link);
  }
}
