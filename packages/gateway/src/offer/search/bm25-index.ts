import { setImmediate as nextTurn } from 'node:timers/promises';
import { wordsOf } from './tokenize.js';

/** A text that is searched, and how much a word in it counts. */
export interface IndexedField {
  readonly text: string;
  readonly weight: number;
}

export interface IndexedDocument {
  readonly id: string;
  readonly fields: readonly IndexedField[];
}

export interface Hit {
  readonly id: string;
  readonly score: number;
}

// the usual constants of Okapi BM25
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

const TURN_MS = 10;

interface Posting {
  readonly document: number;
  /** How often the word occurs, weighted by field. */
  readonly frequency: number;
}

const frequenciesOf = (fields: readonly IndexedField[]): ReadonlyMap<string, number> => {
  const found = new Map<string, number>();
  for (const { text, weight } of fields) {
    for (const word of wordsOf(text)) found.set(word, (found.get(word) ?? 0) + weight);
  }
  return found;
};

/** Ranks documents by Okapi BM25 over weighted fields. The same documents and query give the same hits, everywhere. */
export class Bm25Index {
  readonly #ids: readonly string[];
  readonly #lengths: readonly number[];
  readonly #averageLength: number;
  readonly #postings = new Map<string, Posting[]>();

  private constructor(ids: readonly string[], all: readonly ReadonlyMap<string, number>[]) {
    this.#ids = ids;
    this.#lengths = all.map((frequencies) => [...frequencies.values()].reduce((sum, each) => sum + each, 0));
    this.#averageLength = this.#lengths.reduce((sum, each) => sum + each, 0) / Math.max(1, ids.length);
    for (const [document, frequencies] of all.entries()) {
      for (const [word, frequency] of frequencies) {
        const postings = this.#postings.get(word);
        if (postings === undefined) this.#postings.set(word, [{ document, frequency }]);
        else postings.push({ document, frequency });
      }
    }
  }

  /** Reads the documents in several turns of the event loop, since servers write them. */
  static async of(documents: readonly IndexedDocument[]): Promise<Bm25Index> {
    const all: ReadonlyMap<string, number>[] = [];
    let beganAt = performance.now();
    for (const { fields } of documents) {
      all.push(frequenciesOf(fields));
      if (performance.now() - beganAt < TURN_MS) continue;
      await nextTurn();
      beganAt = performance.now();
    }
    const ids = documents.map(({ id }) => id);
    return new Bm25Index(ids, all);
  }

  /** The best first; equal scores in the order of the ids. */
  search(query: string, limit: number): readonly Hit[] {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const postings = this.#postings.get(word) ?? [];
      const rarity = Math.log(1 + (this.#ids.length - postings.length + 0.5) / (postings.length + 0.5));
      for (const { document, frequency } of postings) {
        const length = (this.#lengths[document] ?? 0) / Math.max(1, this.#averageLength);
        const damped = frequency + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
        const gain = (rarity * frequency * (SATURATION + 1)) / damped;
        scores.set(document, (scores.get(document) ?? 0) + gain);
      }
    }
    return [...scores]
      .map(([document, score]): Hit => ({ id: this.#ids[document] ?? '', score }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit);
  }
}
