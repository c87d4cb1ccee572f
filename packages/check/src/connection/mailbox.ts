import { within, type Deadline } from './deadline.js';

/** What has come in, in order, and those who wait for some of it. */
export class Mailbox<T> {
  readonly #items: T[] = [];
  readonly #watchers = new Set<() => void>();
  #ended: string | undefined;

  get items(): readonly T[] {
    return this.#items;
  }

  /** Why nothing more will come. */
  get ended(): string | undefined {
    return this.#ended;
  }

  put(item: T): void {
    this.#items.push(item);
    this.#wake();
  }

  end(why: string): void {
    this.#ended ??= why;
    this.#wake();
  }

  /** Tells of every item, also of those that are there already unless `from` skips them, and of the end. Returns how to stop. */
  subscribe(onItem: (item: T) => void, onEnd: (why: string) => void = () => undefined, from = 0): () => void {
    let next = from;
    const watch = (): void => {
      while (next < this.#items.length) {
        next += 1;
        onItem(this.#items[next - 1] as T);
      }
      if (this.#ended === undefined) return;
      this.#watchers.delete(watch);
      onEnd(this.#ended);
    };
    this.#watchers.add(watch);
    watch();
    return () => void this.#watchers.delete(watch);
  }

  /** The first thing that `pick` makes of an item from `from` on; undefined when the source ends before. */
  async until<R>(pick: (item: T) => R | undefined, from: number, deadline: Deadline): Promise<R | undefined> {
    let next = from;
    let watch: (() => void) | undefined;
    const found = new Promise<R | undefined>((resolve) => {
      watch = () => {
        for (; next < this.#items.length; next += 1) {
          const picked = pick(this.#items[next] as T);
          if (picked !== undefined) return resolve(picked);
        }
        if (this.#ended !== undefined) resolve(undefined);
        return undefined;
      };
      this.#watchers.add(watch);
      watch();
    });
    try {
      return await within(found, deadline);
    } finally {
      if (watch !== undefined) this.#watchers.delete(watch);
    }
  }

  #wake(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
