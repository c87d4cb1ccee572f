import Papa from 'papaparse';
import { DocumentError } from '../document-error.js';
import { decodeText } from './decode-text.js';
import type { DocumentReader } from '../tree/document-reader.js';
import { textTable } from '../tree/tree.js';

/** The first row is the head of the table; the delimiter is found out. */
export const readCsv: DocumentReader = (bytes, { limits }) => {
  const rows: string[][] = [];
  let cells = 0;
  Papa.parse<string[]>(decodeText(bytes), {
    skipEmptyLines: 'greedy',
    // Bars stand in text more often than between columns.
    delimitersToGuess: [',', ';', '\t'],
    step: ({ data }) => {
      cells += data.length;
      // Only a throw ends papaparse at once; what was read so far is of no use to anyone.
      if (cells > limits.cells) {
        throw new DocumentError(
          'TOO_LARGE',
          `The table has more than ${limits.cells} cells.`,
          'Split it into several files.',
        );
      }
      rows.push(data);
    },
  });
  return { tree: { type: 'root', children: rows.length === 0 ? [] : [textTable(rows)] }, images: [], warnings: [] };
};
