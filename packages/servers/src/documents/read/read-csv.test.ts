import fc from 'fast-check';
import { toString } from 'mdast-util-to-string';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../limits.js';
import { writeMarkdown } from '../write/write-markdown.js';
import { readCsv } from './read-csv.js';
import { readMarkdown } from './read-markdown.js';

const options = { limits: DEFAULT_LIMITS, images: false, progress: () => undefined };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('keeps every cell through Markdown and back, whatever stands in it', async () => {
  const word = fc.stringMatching(/^[ -:=-~äöé<]{1,12}$/u).map((text) => `x${text.trim()}`);
  const rows = fc.array(fc.tuple(word, word, word), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rows, async (cells) => {
      const csv = Papa.unparse(cells, { delimiter: ',', newline: '\n' });
      const { tree } = await readCsv(bytes(csv), options);
      const again = await readMarkdown(bytes(writeMarkdown(tree)), options);
      const [table] = again.tree.children;
      const found =
        table?.type === 'table' ? table.children.map((row) => row.children.map((cell) => toString(cell))) : [];
      expect(found).toEqual(cells.map((row) => row.map((cell) => cell.replaceAll(/\s+/gu, ' ').trim())));
    }),
  );
});

it('is empty when there is nothing', async () => {
  expect((await readCsv(bytes('\n\n'), options)).tree.children).toEqual([]);
});
