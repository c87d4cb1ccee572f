/** What can stand in one chain at a time. */
export interface ChainLink<Link> {
  before: Link | undefined;
  after: Link | undefined;
}

/**
 * Members in the order in which they came, each of which can leave at once. A Set or Map would do, but for requests by the
 * thousand: V8 leaves the tables that those outgrow behind in a row, and one of them in old space keeps all that follow
 * alive, with every request that was ever in them, until the next full collection.
 */
export class Chain<Link extends ChainLink<Link>> {
  #first: Link | undefined;
  #last: Link | undefined;

  get first(): Link | undefined {
    return this.#first;
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  has(link: Link): boolean {
    return link.before !== undefined || this.#first === link;
  }

  /** A link that is in it already stays where it is. */
  append(link: Link): void {
    if (this.has(link)) return;
    link.before = this.#last;
    if (this.#last === undefined) this.#first = link;
    else this.#last.after = link;
    this.#last = link;
  }

  /** A link that has left points to nobody, and may come again. */
  remove(link: Link): void {
    if (!this.has(link)) return;
    const { before, after } = link;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    link.before = undefined;
    link.after = undefined;
  }
}
