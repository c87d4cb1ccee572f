import type { Siblings } from '@plugboard/registry';

/**
 * What workers and the process that started them say about changes. A worker has `changed` something; the others `look`, and
 * say when they have `looked`; then the first one is told that it was `seen`.
 */
export interface News {
  readonly news: 'changed' | 'look' | 'looked' | 'seen';
  readonly id: number;
}

const WORDS: ReadonlySet<unknown> = new Set<News['news']>(['changed', 'look', 'looked', 'seen']);

/** As it is sent. */
const isNews = (value: unknown): value is News =>
  typeof value === 'object' &&
  value !== null &&
  'news' in value &&
  WORDS.has(value.news) &&
  'id' in value &&
  typeof value.id === 'number';

/** The way to one process, and what it says. */
export interface NewsLine {
  /** May throw when that process is gone. */
  send(news: News): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** How long a busy or hanging worker can delay the acknowledgement of a change. It finds the change with its next poll. */
const LOOK_MS = 5000;

const trySend = (line: NewsLine, news: News): boolean => {
  try {
    line.send(news);
    return true;
  } catch {
    return false;
  }
};

/** Those who wait for others, by number. */
class Waiting {
  readonly #settle = new Map<number, () => void>();
  #last = 0;

  /** @param begin is given the number by which `end` ends the wait */
  wait(begin: (id: number) => boolean): Promise<void> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve) => {
      const late = setTimeout(() => this.end(id), LOOK_MS);
      late.unref();
      this.#settle.set(id, () => {
        clearTimeout(late);
        resolve();
      });
      if (!begin(id)) this.end(id);
    });
  }

  end(id: number): void {
    this.#settle.get(id)?.();
    this.#settle.delete(id);
  }
}

/** The other workers, for one of them. @param parent the process that started them */
export const siblingsBehind = (parent: NewsLine): Siblings => {
  const waiting = new Waiting();
  const listeners = new Set<() => Promise<void>>();
  const look = async (id: number): Promise<void> => {
    await Promise.allSettled([...listeners].map((listener) => listener()));
    trySend(parent, { news: 'looked', id });
  };
  parent.onMessage((message) => {
    if (!isNews(message)) return;
    if (message.news === 'look') void look(message.id);
    else if (message.news === 'seen') waiting.end(message.id);
  });
  return {
    announce: () => waiting.wait((id) => trySend(parent, { news: 'changed', id })),
    watch: (listener) => {
      listeners.add(listener);
      return async () => void listeners.delete(listener);
    },
  };
};

/** Passes the news of each worker on to the others, in the process that started them. */
export class NewsExchange {
  readonly #waiting = new Waiting();
  readonly #looking = new Map<NewsLine, Set<number>>();

  /** From now on this worker hears of the others. */
  add(worker: NewsLine): void {
    this.#looking.set(worker, new Set());
    worker.onMessage((message) => {
      if (!isNews(message)) return;
      if (message.news === 'changed') void this.#tellOthers(worker, message.id);
      else if (message.news === 'looked') this.#looked(worker, message.id);
    });
  }

  /** It ended: nobody waits for it. */
  remove(worker: NewsLine): void {
    const looks = this.#looking.get(worker) ?? [];
    this.#looking.delete(worker);
    for (const id of looks) this.#waiting.end(id);
  }

  async #tellOthers(from: NewsLine, id: number): Promise<void> {
    const others = [...this.#looking].filter(([worker]) => worker !== from);
    await Promise.all(
      others.map(([worker, looks]) =>
        this.#waiting.wait((look) => {
          looks.add(look);
          return trySend(worker, { news: 'look', id: look });
        }),
      ),
    );
    trySend(from, { news: 'seen', id });
  }

  #looked(worker: NewsLine, id: number): void {
    this.#looking.get(worker)?.delete(id);
    this.#waiting.end(id);
  }
}
