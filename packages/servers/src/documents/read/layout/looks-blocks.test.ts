import { describe, expect, it } from 'vitest';
import { writeMarkdown } from '../../write/write-markdown.js';
import { FontSizes } from './font-sizes.js';
import { joinPages } from '../pdf/read-pdf.js';
import { looksBlocks } from './looks-blocks.js';
import { withoutRunningHeads } from '../pdf/running-heads.js';
import { linesOf } from './text-line.js';
import type { TextRun } from './text-run.js';
import { unfoldColumns } from './unfold-columns.js';

const at = (text: string, x: number, y: number, size = 10): TextRun => ({
  text,
  x,
  y,
  width: text.length * size * 0.5,
  size,
});

const markdown = (runs: readonly TextRun[]): string =>
  writeMarkdown({
    type: 'root',
    children: joinPages([looksBlocks(unfoldColumns(linesOf(runs)), new FontSizes(runs))]),
  });

const filler = 'a line of text that is long enough to be the body of the page';

describe('a page without tags', () => {
  it('has headings where type is larger, deeper as it shrinks', () => {
    const runs = [
      at('Big', 50, 700, 24),
      at('Middle', 50, 650, 16),
      at(filler, 50, 600),
      at('small print', 50, 560, 7),
    ];
    expect(markdown(runs)).toBe(`# Big\n\n## Middle\n\n${filler}\n\nsmall print\n`);
  });

  it('joins lines and cut words', () => {
    expect(markdown([at('the har-', 50, 700), at('bour is old', 50, 688), at('New one', 50, 640)])).toBe(
      'the harbour is old\n\nNew one\n',
    );
  });

  it('has lists by their labels and their indent, with items that go on', () => {
    const runs = [
      at('•', 50, 700),
      at('first item', 62, 700),
      at('goes on', 62, 688),
      at('–', 70, 676),
      at('inner', 82, 676),
      at('•', 50, 664),
      at('last', 62, 664),
      at('1.', 50, 600),
      at('numbered', 62, 600),
    ];
    expect(markdown(runs)).toBe('- first item goes on\n  - inner\n- last\n\n1. numbered\n');
  });

  it('has tables where cells stand in columns, and no table where only one line does', () => {
    const rows = [at('Name', 50, 700), at('Team', 150, 700), at('Ada', 50, 686), at('Night', 150, 686)];
    expect(markdown(rows)).toBe('| Name | Team |\n| - | - |\n| Ada | Night |\n');
    expect(markdown(rows.slice(0, 2))).toBe('Name Team\n');
  });

  it('reads two columns one after the other', () => {
    const rows = Array.from({ length: 5 }, (_, index) => [
      at(`left line ${index} with many words`, 50, 700 - index * 12),
      at(`right line ${index} with many words`, 320, 700 - index * 12),
    ]).flat();
    const text = markdown([at('Full width title line over both columns of the page here', 60, 720), ...rows]);
    expect(text.indexOf('left line 4')).toBeLessThan(text.indexOf('right line 0'));
    expect(text.startsWith('Full width')).toBe(true);
  });

  it('loses heads and feet that come back on every page', () => {
    const page = (number: number) => ({
      height: 800,
      lines: linesOf([at('The Journal', 50, 780), at(`text ${number}`, 50, 400), at(`${number}`, 300, 20)]),
    });
    const kept = withoutRunningHeads([page(1), page(2), page(3)]).flatMap(({ lines }) => lines);
    expect(kept.map(({ segments }) => segments[0]?.text)).toEqual(['text 1', 'text 2', 'text 3']);
    // Of two pages, only the number of the page is certain.
    expect(withoutRunningHeads([page(1), page(2)])[0]?.lines).toHaveLength(2);
  });
});
