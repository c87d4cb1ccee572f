import { isCodeLine } from './code-lines.js';
import { splitWords } from './split-words.js';
import { leftOf, lineText, rightOf, type TextLine } from './text-line.js';

const USUAL = 0.85;
const MOST_LINES = 1000;
const INDENT = 2;

/** Where lines usually begin and end, which tells a line that was full from one that its writer ended. */
export class PageMargins {
  readonly #lines: readonly TextLine[];
  readonly #left: number;
  readonly #width: number;

  constructor(lines: readonly TextLine[], width: number) {
    this.#width = width;
    const prose = lines.filter((line) => !isCodeLine(line));
    // Looking at every pair of lines costs too much on a page that no reader would call one.
    this.#lines = prose.length > MOST_LINES ? [] : prose;
    const counts = new Map<number, number>();
    for (const left of prose.map((line) => Math.round(leftOf(line)))) counts.set(left, (counts.get(left) ?? 0) + 1);
    // The outermost edge that is one: a single line may hang out.
    const edges = [...counts].filter(([, count]) => count > 1).map(([left]) => left);
    this.#left = Math.min(...(edges.length === 0 ? counts.keys() : edges));
  }

  /** Whether a paragraph ends before a line: its first word would have had room on the line before. */
  endsBefore(before: TextLine, line: TextLine): boolean {
    return this.#lines.length > 0 && this.#hadRoom(before, line, this.#rightOf(before));
  }

  #hadRoom(before: TextLine, line: TextLine, right: number): boolean {
    const first = line.segments[0]?.runs[0];
    if (first === undefined || /[\p{L}][-\u00AD]$/u.test(lineText(before))) return false;
    const word = splitWords(first)[0]?.width ?? 0;
    const room = right - rightOf(before) - word - line.size * 0.5;
    // A sentence that ends well before the edge ends its paragraph; a line that merely is short must be a lot shorter.
    return /[.!?:]["”’)]?$/u.test(lineText(before)) ? room > line.size * 2 : room > line.size * 6;
  }

  /** Indented lines that are one line each: items of a list whose bullets are drawn, not written. */
  bareItems(lines: readonly TextLine[]): readonly TextLine[] {
    const end = lines.findIndex((line, index) => {
      const before = lines[index - 1];
      const next = lines[index + 1];
      if (line.segments.length !== 1 || isCodeLine(line)) return true;
      if (leftOf(line) < this.#left + line.size * INDENT) return true;
      if (before !== undefined && (before.y <= line.y || before.y - line.y > line.size * 2.5)) return true;
      // Pages have margins of equal width, as a rule: that is where a full line of a list would end.
      const right = this.#width - this.#left;
      if (Math.abs(leftOf(line) + rightOf(line) - this.#width) < line.size) return true;
      return next !== undefined && this.#isOneBelow(line, next) && !this.#hadRoom(line, next, right);
    });
    return end === -1 ? lines : lines.slice(0, end);
  }

  #isOneBelow(line: TextLine, next: TextLine): boolean {
    return line.y > next.y && line.y - next.y <= line.size * 1.6 && leftOf(next) >= this.#left + line.size * INDENT;
  }

  /** Where lines that stand above or below this one usually end. */
  #rightOf(line: TextLine): number {
    const [left, right] = [leftOf(line), rightOf(line)];
    const ends = this.#lines
      .filter((other) => leftOf(other) < right && rightOf(other) > left)
      .map(rightOf)
      .sort((a, b) => a - b);
    return ends[Math.floor((ends.length - 1) * USUAL)] ?? right;
  }
}
