/** More sessions and addresses than this are forgotten, the oldest first. */
const MOST = 1_000;

const note = (known: Map<string, number>, name: string, conversation: number): void => {
  known.set(name, conversation);
  for (const oldest of known.keys()) if (known.size > MOST) known.delete(oldest);
};

/** Which requests and answers belong together: clients of one server use the same ids. */
export class Conversations {
  readonly #ofSession = new Map<string, number>();
  readonly #ofEndpoint = new Map<string, number>();
  #last = 0;

  /** By the session, else by the address that a stream of HTTP+SSE named. Without either, a request is on its own. */
  of(session: string | undefined, path: string): number {
    const known = session === undefined ? this.#ofEndpoint.get(path) : this.#ofSession.get(session);
    if (known !== undefined) return known;
    this.#last += 1;
    if (session !== undefined) this.noteSession(session, this.#last);
    return this.#last;
  }

  noteSession(session: string, conversation: number): void {
    note(this.#ofSession, session, conversation);
  }

  noteEndpoint(path: string, conversation: number): void {
    note(this.#ofEndpoint, path, conversation);
  }

  isEndpoint(path: string): boolean {
    return this.#ofEndpoint.has(path);
  }
}
