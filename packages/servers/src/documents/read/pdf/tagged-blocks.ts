import type { List, ListItem, PhrasingContent } from 'mdast';
import { heading, isBlank, paragraph, table, text, type Block } from '../tree.js';
import { isNumberLabel, stripLabel } from './list-label.js';
import type { PdfStructContent, PdfStructNode } from './pdf-js.js';
import type { PdfPageText } from './pdf-page-text.js';
import { phrasingOf, trimPhrasing, type TextRun } from './text-run.js';

type StructChild = PdfStructNode | PdfStructContent;

const isNode = (child: StructChild): child is PdfStructNode => 'role' in child;

const nodesOf = ({ children }: PdfStructNode): readonly PdfStructNode[] => children.filter(isNode);

const runsOf = (node: StructChild, page: PdfPageText): readonly TextRun[] => {
  if (isNode(node)) return node.children.flatMap((child) => runsOf(child, page));
  return node.type === 'content' ? (page.marked.get(node.id ?? '') ?? []) : [];
};

/** How much of the page its tags cover: files that tag only some of it are read by their looks instead. */
export const taggedShare = (page: PdfPageText): number => {
  if (page.structure === undefined) return 0;
  const length = (runs: readonly TextRun[]): number => runs.reduce((sum, run) => sum + run.text.trim().length, 0);
  const all = length(page.runs);
  return all === 0 ? 0 : length(runsOf(page.structure, page)) / all;
};

/** Where a Link node leads, by the annotation that it names. */
const withLinks = (node: PdfStructNode, page: PdfPageText): readonly TextRun[] =>
  node.children.flatMap((child) => {
    if (!isNode(child)) return runsOf(child, page);
    if (child.role !== 'Link') return withLinks(child, page);
    const ids = new Set(child.children.map((part) => (isNode(part) ? undefined : part.id)));
    const url = page.links.find(({ id }) => ids.has(id))?.url;
    return runsOf(child, page).map((run) => (url === undefined ? run : { ...run, url }));
  });

const words = (node: PdfStructNode, page: PdfPageText): readonly PhrasingContent[] =>
  trimPhrasing(phrasingOf(withLinks(node, page)));

const rowsOf = (node: PdfStructNode): readonly PdfStructNode[] =>
  nodesOf(node).flatMap((child) => (child.role === 'TR' ? [child] : rowsOf(child)));

const tableBlock = (node: PdfStructNode, page: PdfPageText): Block =>
  table(rowsOf(node).map((row) => nodesOf(row).map((cell) => words(cell, page))));

const listItem = (node: PdfStructNode, page: PdfPageText): ListItem => {
  const inner = nodesOf(node).flatMap((child) => (child.role === 'LBody' ? nodesOf(child) : [child]));
  const lists = inner.filter(({ role }) => role === 'L');
  const own: PdfStructNode = { ...node, children: withoutLists(node) };
  const content = stripLabel(words(own, page));
  return {
    type: 'listItem',
    spread: false,
    children: [paragraph(...content), ...lists.map((list) => listBlock(list, page))],
  };
};

const withoutLists = (node: PdfStructNode): readonly StructChild[] =>
  node.children
    .filter((child) => !isNode(child) || child.role !== 'L')
    .map((child) => (isNode(child) ? { ...child, children: withoutLists(child) } : child));

const listBlock = (node: PdfStructNode, page: PdfPageText): List => {
  const items = nodesOf(node).filter(({ role }) => role === 'LI');
  const ordered = items.length > 0 && items.every((item) => isNumberLabel(phrasingOf(runsOf(item, page))));
  return { type: 'list', ordered, spread: false, children: items.map((item) => listItem(item, page)) };
};

const figure = (node: PdfStructNode, page: PdfPageText): readonly Block[] => {
  const alt = node.alt?.trim() ?? '';
  const content = words(node, page);
  if (!isBlank(content)) return [paragraph(...content)];
  return alt === '' ? [] : [paragraph(text(`[Image: ${alt}]`))];
};

const headingDepth = (role: string): number | undefined => {
  if (role === 'Title' || role === 'H') return 1;
  const level = /^H([1-6])$/u.exec(role)?.[1];
  return level === undefined ? undefined : Number(level);
};

const leaf = (node: PdfStructNode, page: PdfPageText): readonly Block[] => {
  const content = words(node, page);
  if (isBlank(content)) return [];
  const depth = headingDepth(node.role);
  return [depth === undefined ? paragraph(...content) : heading(depth, ...content)];
};

const CONTAINERS = new Set([
  'Root',
  'Document',
  'DocumentFragment',
  'Part',
  'Art',
  'Sect',
  'Div',
  'NonStruct',
  'Aside',
  'Index',
  'TOC',
]);

const blocksOf = (node: PdfStructNode, page: PdfPageText): readonly Block[] => {
  switch (node.role) {
    case 'Table':
      return [tableBlock(node, page)];
    case 'L':
      return [listBlock(node, page)];
    case 'Figure':
      return figure(node, page);
    case 'BlockQuote': {
      const children = leaf({ ...node, role: 'P' }, page).filter((block) => block.type === 'paragraph');
      return children.length === 0 ? [] : [{ type: 'blockquote', children }];
    }
    case 'Link':
      return leaf({ role: 'P', children: [node] }, page);
    default:
      return CONTAINERS.has(node.role) ||
        nodesOf(node).some(({ role }) => role === 'P' || role === 'Table' || role === 'L')
        ? nodesOf(node).flatMap((child) => blocksOf(child, page))
        : leaf(node, page);
  }
};

/** The blocks of a page whose file says itself what is a heading, a list, a table. */
export const taggedBlocks = (page: PdfPageText): readonly Block[] =>
  page.structure === undefined ? [] : blocksOf({ ...page.structure, role: 'Root' }, page);
