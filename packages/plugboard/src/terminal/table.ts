import type { Style } from './style.js';
import { fitWidth, textWidth } from './text-width.js';

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Applied after the text was cut, so that it cannot be cut in two. */
  readonly paint?: (text: string, row: Row) => string;
  readonly align?: 'left' | 'right';
  /** May be cut down to this many columns when the terminal is narrow. */
  readonly shrinkTo?: number;
}

export interface TableOptions {
  readonly style: Style;
  /** Columns of the terminal; undefined: as wide as it needs. */
  readonly width: number | undefined;
}

const GAP = '  ';
/** As long as the last column has this much, the others are shown whole. */
const COMFORTABLE = 24;

const natural = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): number[] =>
  columns.map((column) => Math.max(textWidth(column.title), ...rows.map((row) => textWidth(column.text(row)))));

/** Takes the missing columns from the last one, which is the least, and then from those that may shrink, the widest first. */
const fitted = <Row>(columns: readonly Column<Row>[], widths: number[], available: number): readonly number[] => {
  const total = (): number => widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);
  const spare = (index: number): number => (widths[index] ?? 0) - (columns[index]?.shrinkTo ?? Infinity);
  const last = widths.length - 1;
  const width = widths[last] ?? 0;
  if (spare(last) > 0) widths[last] = Math.min(width, Math.max(COMFORTABLE, width - Math.max(0, total() - available)));
  while (total() > available) {
    const widest = widths
      .map((width, index) => ({ width, index }))
      .filter(({ index }) => spare(index) > 0)
      .toSorted((left, right) => right.width - left.width)[0];
    if (widest === undefined) break;
    widths[widest.index] = widest.width - 1;
  }
  return widths;
};

const pad = (painted: string, missing: number, align: 'left' | 'right', isLast: boolean): string => {
  const space = ' '.repeat(Math.max(0, missing));
  if (align === 'right') return space + painted;
  return isLast ? painted : painted + space;
};

/** Rows under titles, in the width there is. Ends with a line break. */
export const formatTable = <Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { style, width }: TableOptions,
): string => {
  const widths = fitted(columns, natural(columns, rows), width ?? Infinity);
  const line = (cell: (column: Column<Row>, limit: number) => readonly [plain: string, painted: string]): string =>
    columns
      .map((column, index) => {
        const limit = widths[index] ?? 0;
        const [plain, painted] = cell(column, limit);
        return pad(painted, limit - textWidth(plain), column.align ?? 'left', index === columns.length - 1);
      })
      .join(GAP)
      .trimEnd();
  const head = line((column, limit) => {
    const title = fitWidth(column.title, limit);
    return [title, style.bold(title)];
  });
  const body = rows.map((row) =>
    line((column, limit) => {
      const text = fitWidth(column.text(row), limit);
      return [text, column.paint?.(text, row) ?? text];
    }),
  );
  return `${[head, ...body].join('\n')}\n`;
};
