import type { TextRun } from './text-run.js';

const LARGER = 1.12;
const DEEPEST = 4;

const rounded = (size: number): number => Math.round(size * 2) / 2;

/** Which sizes of type a document uses, and which of them are headings. */
export class FontSizes {
  readonly #headings: readonly number[];

  constructor(runs: Iterable<TextRun>) {
    const characters = new Map<number, number>();
    for (const { text, size } of runs) {
      const key = rounded(size);
      characters.set(key, (characters.get(key) ?? 0) + text.trim().length);
    }
    const [body] = [...characters].sort((a, b) => b[1] - a[1]).map(([size]) => size);
    const larger = [...characters.keys()].filter((size) => body !== undefined && size >= body * LARGER);
    this.#headings = larger.sort((a, b) => b - a);
  }

  /** 1 for the largest; nothing for the size of the text and below. */
  headingDepth(size: number): number | undefined {
    const index = this.#headings.indexOf(rounded(size));
    return index === -1 ? undefined : Math.min(index + 1, DEEPEST);
  }
}
