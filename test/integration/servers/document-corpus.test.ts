import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scoreMarkdown } from '../../../bench/documents/score-markdown.mjs';
import { convert } from '../../../packages/servers/src/documents/convert/convert.js';
import { DEFAULT_LIMITS } from '../../../packages/servers/src/documents/limits.js';

const folder = resolve(import.meta.dirname, '../../../bench/documents');
const floors = JSON.parse(readFileSync(join(folder, 'floors.json'), 'utf8')) as Readonly<Record<string, number>>;
const files = readdirSync(join(folder, 'corpus')).sort();

const converted = (file: string): ReturnType<typeof convert> =>
  convert(
    {
      bytes: new Uint8Array(readFileSync(join(folder, 'corpus', file))),
      hints: { fileName: file },
      output: 'markdown',
      tables: true,
      images: false,
      ocr: { languages: ['eng'], maxPages: 10, maxMs: 600_000 },
      limits: DEFAULT_LIMITS,
    },
    () => undefined,
  );

const expected = (file: string): string =>
  readFileSync(join(folder, 'expected', `${file.split(/[.-]/u)[0]}.md`), 'utf8');

describe('the corpus of real files', () => {
  it('has a recorded score for each file', () => {
    expect(files.length).toBeGreaterThanOrEqual(40);
    expect(Object.keys(floors).sort()).toEqual(files);
  });

  it.each(files)('%s is converted at least as well as recorded', { timeout: 60_000 }, async (file) => {
    const { text: markdown } = await converted(file);
    expect(markdown).not.toContain('[]()');
    expect(scoreMarkdown(expected(file), markdown).score).toBeGreaterThanOrEqual(floors[file] ?? 1);
  });

  it('warns of formulas of a PDF, which lose their layout, and only of those', async () => {
    const { warnings } = await converted('formulas.latex.pdf');
    expect(warnings).toEqual([expect.stringMatching(/^Formulas on page 1 /u)]);
    expect((await converted('harbour.latex.pdf')).warnings).toEqual([]);
  });
});
