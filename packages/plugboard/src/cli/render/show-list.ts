import { EXIT, type ExitCode } from '@plugboard/contract';
import type { Output } from '../../terminal/output.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';

interface ListView<Row> {
  readonly columns: (style: Style) => readonly Column<Row>[];
  /** What identifies a row to another command: all that is printed when quiet. */
  readonly name: (row: Row) => string;
  /** Said when there is none, with the command that adds the first. */
  readonly none: string;
}

/** Prints a list as a table, as names, or as JSON. */
export const showList = <Row>(out: Output, rows: readonly Row[], { columns, name, none }: ListView<Row>): ExitCode => {
  out.data(rows);
  if (out.quiet) out.text(rows.map(name).join('\n'));
  else if (rows.length > 0) out.text(formatTable(columns(out.style), rows, out));
  else out.note(none);
  return EXIT.ok;
};
