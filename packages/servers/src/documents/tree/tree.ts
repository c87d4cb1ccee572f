import type { Heading, Paragraph, PhrasingContent, RootContent, Table, TableRow } from 'mdast';

export const text = (value: string): PhrasingContent => ({ type: 'text', value });

export const paragraph = (...children: readonly PhrasingContent[]): Paragraph => ({
  type: 'paragraph',
  children: [...children],
});

export const heading = (depth: number, ...children: readonly PhrasingContent[]): Heading => ({
  type: 'heading',
  depth: Math.min(Math.max(Math.trunc(depth), 1), 6) as Heading['depth'],
  children: [...children],
});

export const link = (url: string, children: readonly PhrasingContent[]): PhrasingContent => ({
  type: 'link',
  url,
  // Markdown has no link inside a link.
  children: children.filter((child) => child.type !== 'link'),
});

export const table = (rows: readonly (readonly (readonly PhrasingContent[])[])[]): Table => {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return {
    type: 'table',
    children: rows.map((row): TableRow => ({
      type: 'tableRow',
      children: Array.from({ length: width }, (_, index) => ({
        type: 'tableCell',
        children: [...(row[index] ?? [])],
      })),
    })),
  };
};

/** The text of a cell, which is one line in Markdown. */
export const cellText = (value: string): readonly PhrasingContent[] => {
  const line = value.replaceAll(/\s+/gu, ' ').trim();
  return line === '' ? [] : [text(line)];
};

/** A table of plain text. */
export const textTable = (rows: readonly (readonly string[])[]): Table => table(rows.map((row) => row.map(cellText)));

export const isBlank = (children: readonly PhrasingContent[]): boolean =>
  children.every((child) => child.type === 'text' && child.value.trim() === '');

/** Words without space at either end. */
export const trimPhrasing = (nodes: readonly PhrasingContent[]): readonly PhrasingContent[] => {
  const trimmed = nodes.map((node, index) => {
    if (node.type !== 'text') return node;
    const start = index === 0 ? node.value.trimStart() : node.value;
    return { ...node, value: index === nodes.length - 1 ? start.trimEnd() : start };
  });
  return trimmed.filter((node) => node.type !== 'text' || node.value !== '');
};

export type Block = RootContent;
