import type { TextRun } from './text-run.js';

const LARGER = 1.12;
const DEEPEST = 4;

const rounded = (size: number): number => Math.round(size * 2) / 2;

/** Which sizes of type a document uses, and which of them are headings. */
export class FontSizes {
  readonly #headings: readonly number[];
  readonly #body: number;
  readonly #bodyFont: string | undefined;

  constructor(runs: Iterable<TextRun>) {
    const characters = new Map<number, number>();
    const fonts = new Map<string, number>();
    const all = [...runs];
    const prose = all.filter(({ fixed }) => fixed !== true);
    // Listings are no measure of the text around them, unless there is nothing else.
    for (const { text, size, font = '' } of prose.length === 0 ? all : prose) {
      const key = rounded(size);
      characters.set(key, (characters.get(key) ?? 0) + text.trim().length);
      fonts.set(font, (fonts.get(font) ?? 0) + text.trim().length);
    }
    this.#bodyFont = [...fonts].sort((a, b) => b[1] - a[1])[0]?.[0];
    const [body] = [...characters].sort((a, b) => b[1] - a[1]).map(([size]) => size);
    const larger = [...characters.keys()].filter((size) => body !== undefined && size >= body * LARGER);
    this.#headings = larger.sort((a, b) => b - a);
    this.#body = body ?? 0;
  }

  /** Of headings that are no larger than the text: one below the others. */
  get deepest(): number {
    return Math.min(this.#headings.length + 1, DEEPEST);
  }

  isSmallPrint(size: number): boolean {
    return rounded(size) < this.#body * 0.92;
  }

  /** Whether a run is text of another font, such as a bold one, in the size of the text. */
  standsOut({ font, fixed, size, script }: TextRun): boolean {
    return font !== this.#bodyFont && fixed !== true && script === undefined && rounded(size) >= this.#body * 0.95;
  }

  /** 1 for the largest; nothing for the size of the text and below. */
  headingDepth(size: number): number | undefined {
    const index = this.#headings.indexOf(rounded(size));
    return index === -1 ? undefined : Math.min(index + 1, DEEPEST);
  }
}
