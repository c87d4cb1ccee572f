import { read, utils, type CellObject, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { zipSync } from 'fflate';
import type { PhrasingContent } from 'mdast';
import { openOfficeArchive } from '../archive/office-archive.js';
import type { Archive } from '../archive/open-archive.js';
import { DocumentError } from '../document-error.js';
import { counted } from '../tree/counted.js';
import { openOdfArchive } from './odf/open-odf.js';
import { officeTitle } from '../archive/office-title.js';
import type { DocumentReader, ReadOptions } from '../tree/document-reader.js';
import { safeLink } from '../tree/settle-references.js';
import { cellText, heading, link, paragraph, table, text, type Block } from '../tree/tree.js';

const shown = (cell: CellObject | undefined): readonly PhrasingContent[] => {
  if (cell === undefined) return [];
  const content = cellText(cell.w ?? (cell.v === undefined ? '' : String(cell.v)));
  if (content.length === 0) return [];
  const target = safeLink(cell.l?.Target ?? 'javascript:');
  return target === undefined ? content : [link(target, content)];
};

const rowsOf = (sheet: WorkSheet, budget: { cells: number }): readonly (readonly (readonly PhrasingContent[])[])[] => {
  const reference = sheet['!ref'];
  if (reference === undefined) return [];
  const { s: start, e: end } = utils.decode_range(reference);
  const data = (sheet as { '!data'?: readonly (readonly (CellObject | undefined)[] | undefined)[] })['!data'] ?? [];
  const rows = data.slice(start.r, end.r + 1).map((row) => {
    const cells = (row ?? []).slice(start.c, end.c + 1);
    budget.cells -= cells.length;
    if (budget.cells < 0) {
      throw new DocumentError('TOO_LARGE', 'The workbook has too many cells.', 'Split it into several files.');
    }
    return Array.from(cells, shown);
  });
  return rows.filter((row) => row.some((cell) => cell.length > 0));
};

const open = (bytes: Uint8Array): WorkBook => {
  try {
    return read(bytes, { type: 'array', dense: true, cellFormula: false, cellHTML: false, cellText: true });
  } catch {
    throw new DocumentError('DAMAGED', 'The workbook cannot be read.');
  }
};

const unpacked = (bytes: Uint8Array, options: ReadOptions, kind: 'xlsx' | 'ods'): Archive =>
  kind === 'xlsx'
    ? openOfficeArchive(bytes, { ...options, images: false })
    : openOdfArchive(bytes, { ...options, images: false });

/** Each visible sheet is a heading and a table of what its cells show. */
const readSheets =
  (kind: 'xlsx' | 'ods'): DocumentReader =>
  (bytes, options) => {
    const archive = unpacked(bytes, options, kind);
    const book = open(zipSync(Object.fromEntries(archive), { level: 0 }));
    const budget = { cells: options.limits.cells };
    const hidden = new Set(
      (book.Workbook?.Sheets ?? []).filter(({ Hidden }) => Hidden !== undefined && Hidden > 0).map(({ name }) => name),
    );
    const visible = book.SheetNames.filter((name) => !hidden.has(name));
    const blocks = visible.flatMap((name, index): Block[] => {
      const sheet = book.Sheets[name];
      const rows = sheet === undefined ? [] : rowsOf(sheet, budget);
      options.progress(index + 1, visible.length);
      return [heading(2, text(name)), rows.length === 0 ? paragraph(text('(empty)')) : table(rows)];
    });
    return {
      tree: { type: 'root', children: blocks },
      title: kind === 'xlsx' ? officeTitle(archive, options.limits.depth) : undefined,
      pages: visible.length,
      images: [],
      warnings: hidden.size === 0 ? [] : [`${counted(hidden.size, 'hidden sheet', 'hidden sheets')} left out.`],
    };
  };

export const readXlsx = readSheets('xlsx');

export const readOds = readSheets('ods');
