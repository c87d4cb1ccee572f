import type { Paragraph } from 'mdast';
import { describe, expect, it } from 'vitest';
import { superscript } from '../../tree/extra-nodes.js';
import { paragraph, text } from '../../tree/tree.js';
import { withPageNotes } from './pdf-notes.js';

const raised = (words: string) => superscript([text(words)]);
const body = (): Paragraph => paragraph(text('Words'), raised('1'), text(' go on.'));

describe('footnotes of a page', () => {
  it('are paragraphs that begin with a number which the text has raised', () => {
    const quote = { type: 'blockquote' as const, children: [body()] };
    expect(withPageNotes([quote, paragraph(raised('1'), text(' Why.'))], 3)).toEqual([
      {
        type: 'blockquote',
        children: [paragraph(text('Words'), { type: 'footnoteReference', identifier: '3 1' }, text(' go on.'))],
      },
      { type: 'footnoteDefinition', identifier: '3 1', children: [paragraph(text('Why.'))] },
    ]);
  });

  it('are none when the text has no such number', () => {
    const blocks = [body(), paragraph(raised('2'), text(' Other.'))];
    expect(withPageNotes(blocks, 1)).toEqual([body(), paragraph(raised('2'), text(' Other.'))]);
  });
});
