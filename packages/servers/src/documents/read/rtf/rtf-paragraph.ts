import type { StyledRun } from '../../tree/styled-runs.js';

/** One paragraph as it was read, before it is known what it is. */
export interface RtfParagraph {
  readonly runs: readonly StyledRun[];
  /** The name of its style, in small letters. */
  readonly style: string;
  /** 0 is the highest. */
  readonly outline: number | undefined;
  /** What stands before an item of a list: a bullet or a number. */
  readonly label: string | undefined;
  readonly level: number | undefined;
  /** Twips from the left edge, and of the first line from there. */
  readonly indent: number;
  readonly firstIndent: number;
}

export type RtfElement =
  | { readonly kind: 'paragraph'; readonly paragraph: RtfParagraph }
  | { readonly kind: 'row'; readonly cells: readonly (readonly RtfParagraph[])[] };

/** Gathers the paragraphs and rows of the body, or of one note. */
export class RtfSink {
  readonly elements: RtfElement[] = [];
  #runs: StyledRun[] = [];
  #cell: RtfParagraph[] = [];
  #cells: (readonly RtfParagraph[])[] = [];
  #inRow = false;
  #label: string | undefined;

  add(run: StyledRun): void {
    this.#runs.push(run);
  }

  label(text: string): void {
    this.#label = (this.#label ?? '') + text;
  }

  beginRow(): void {
    this.#inRow = true;
  }

  endParagraph(about: Omit<RtfParagraph, 'runs' | 'label'>): void {
    const paragraph: RtfParagraph = { ...about, runs: this.#runs, label: this.#label };
    this.#runs = [];
    this.#label = undefined;
    if (this.#inRow) this.#cell.push(paragraph);
    else this.elements.push({ kind: 'paragraph', paragraph });
  }

  endCell(about: Omit<RtfParagraph, 'runs' | 'label'>): void {
    if (this.#runs.length > 0) this.endParagraph(about);
    this.#cells.push(this.#cell);
    this.#cell = [];
  }

  endRow(): void {
    if (this.#cells.length > 0) this.elements.push({ kind: 'row', cells: this.#cells });
    this.#cells = [];
    this.#cell = [];
    this.#inRow = false;
  }

  /** What was never ended. */
  finish(about: Omit<RtfParagraph, 'runs' | 'label'>): void {
    if (this.#cells.length > 0) this.endRow();
    if (this.#runs.length > 0) this.endParagraph(about);
  }
}
