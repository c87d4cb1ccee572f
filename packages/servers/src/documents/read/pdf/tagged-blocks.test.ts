import { describe, expect, it } from 'vitest';
import { writeMarkdown } from '../../write/write-markdown.js';
import type { PdfStructNode } from './pdf-js.js';
import type { PdfPageText } from './pdf-page-text.js';
import { taggedBlocks, taggedShare } from './tagged-blocks.js';

const content = (id: string) => ({ type: 'content', id });
const node = (role: string, ...children: PdfStructNode['children']): PdfStructNode => ({ role, children });

const page = (structure: PdfStructNode | undefined, texts: Readonly<Record<string, string>>): PdfPageText => {
  const marked = new Map(
    Object.entries(texts).map(([id, text], index) => [id, [{ text, x: 10, y: 700 - index * 20, width: 50, size: 10 }]]),
  );
  return {
    width: 600,
    height: 800,
    runs: [...marked.values()].flat(),
    marked,
    structure,
    links: [{ id: 'L1', subtype: 'Link', url: 'https://a.example/', rect: [0, 0, 1, 1] }],
  };
};

const markdown = (structure: PdfStructNode, texts: Readonly<Record<string, string>>): string =>
  writeMarkdown({ type: 'root', children: [...taggedBlocks(page(node('Root', structure), texts))] });

describe('a page with tags', () => {
  it('has the headings, paragraphs and quotations that it says', () => {
    const tree = node(
      'Document',
      node('Sect', node('H2', content('a')), node('P', node('Span', content('b')))),
      node('BlockQuote', content('c')),
      node('Title', content('d')),
    );
    expect(markdown(tree, { a: 'Head', b: 'Text', c: 'Said', d: 'Top' })).toBe('## Head\n\nText\n\n> Said\n\n# Top\n');
  });

  it('has lists in lists, numbered where all labels are numbers', () => {
    const inner = node('L', node('LI', node('Lbl', content('c')), node('LBody', content('d'))));
    const tree = node('L', node('LI', node('Lbl', content('a')), node('LBody', content('b'), inner)));
    expect(markdown(tree, { a: '1.', b: 'one', c: '•', d: 'deep' })).toBe('1. one\n   - deep\n');
  });

  it('has tables with or without a body of their own', () => {
    const row = (...ids: readonly string[]) => node('TR', ...ids.map((id) => node('TD', content(id))));
    const tree = node('Table', node('THead', row('a', 'b')), node('TBody', row('c', 'd')));
    expect(markdown(tree, { a: 'A', b: 'B', c: '1', d: '2' })).toBe('| A | B |\n| - | - |\n| 1 | 2 |\n');
  });

  it('has links where its annotations lead, and pictures as their descriptions', () => {
    const link = node('Link', content('a'), { type: 'object', id: 'L1' });
    const figure: PdfStructNode = { role: 'Figure', alt: 'A boat', children: [] };
    expect(markdown(node('Document', node('P', link), link, figure, { ...figure, alt: '' }), { a: 'here' })).toBe(
      '[here](https://a.example/)\n\n[here](https://a.example/)\n\n\\[Image: A boat]\n',
    );
  });

  it('says how much of it the tags cover', () => {
    expect(taggedShare(page(node('P', content('a')), { a: 'xx', b: 'yy' }))).toBe(0.5);
    expect(taggedShare(page(undefined, { a: 'xx' }))).toBe(0);
    expect(taggedShare(page(node('P'), {}))).toBe(0);
    expect(taggedBlocks(page(undefined, {}))).toEqual([]);
  });
});
