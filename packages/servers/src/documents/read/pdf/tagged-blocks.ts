import type { PhrasingContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { trimPhrasing, heading, isBlank, paragraph, table, text, type Block } from '../../tree/tree.js';
import { codeBlock } from '../layout/code-lines.js';
import { listsFromPlaces, type PlacedItem } from '../layout/flat-list.js';
import { isNumberLabel, labelNumber, stripLabel } from '../layout/list-label.js';
import type { PdfStructContent, PdfStructNode } from './pdf-js.js';
import type { PdfPageText } from './pdf-page-text.js';
import { raiseNumber } from '../layout/raise-number.js';
import { linesOf } from '../layout/text-line.js';
import { phrasingOf, type TextRun } from '../layout/text-run.js';

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

const withoutLists = (node: PdfStructNode): readonly StructChild[] =>
  node.children
    .filter((child) => !isNode(child) || child.role !== 'L')
    .map((child) => (isNode(child) ? { ...child, children: withoutLists(child) } : child));

/** Lists that an item holds, whether or not it wraps its body. */
const innerLists = (item: PdfStructNode): readonly PdfStructNode[] =>
  nodesOf(item).flatMap((child) => (child.role === 'L' ? [child] : innerLists(child)));

const DEEPER = 10_000;

const placedItems = (list: PdfStructNode, page: PdfPageText, depth = 0): readonly PlacedItem[] => {
  const entries = nodesOf(list).flatMap((child) => (child.role === 'LI' || child.role === 'L' ? [child] : []));
  const own = entries
    .filter(({ role }) => role === 'LI')
    .map((item): PdfStructNode => ({ ...item, children: withoutLists(item) }));
  const contents = own.map((item) => words(item, page));
  const ordered = contents.length > 0 && contents.every(isNumberLabel);
  const left = depth * DEEPER + Math.min(...own.flatMap((item) => runsOf(item, page).map(({ x }) => x)), DEEPER - 1);
  return entries.flatMap((entry) => {
    if (entry.role === 'L') return placedItems(entry, page, depth + 1);
    const content = words({ ...entry, children: withoutLists(entry) }, page);
    const start = labelNumber(toString({ type: 'paragraph', children: [...content] }));
    const item: PlacedItem = { left, ordered, start, children: stripLabel(content) };
    return [item, ...innerLists(entry).flatMap((inner) => placedItems(inner, page, depth + 1))];
  });
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

const isCode = (node: PdfStructNode, page: PdfPageText): boolean => {
  const runs = runsOf(node, page).filter(({ text: written }) => written.trim() !== '');
  return node.role !== 'L' && node.role !== 'Table' && runs.length > 0 && runs.every(({ fixed }) => fixed === true);
};

/** Lines of code, and lists of several depths, are often siblings; together they are one block. */
const innerBlocks = (node: PdfStructNode, page: PdfPageText): readonly Block[] => {
  const children = nodesOf(node);
  const kinds = children.map((child) => {
    if (child.role === 'L') return 'list';
    return isCode(child, page) ? 'code' : 'other';
  });
  return children.flatMap((child, index): readonly Block[] => {
    const kind = kinds[index];
    if (kind === 'other') return blocksOf(child, page);
    if (kind === kinds[index - 1]) return [];
    const end = kinds.findIndex((other, at) => at > index && other !== kind);
    const group = children.slice(index, end === -1 ? undefined : end);
    if (kind === 'list') return listsFromPlaces(group.flatMap((list) => placedItems(list, page)));
    return [codeBlock(linesOf(group.flatMap((line) => runsOf(line, page))))];
  });
};

const blocksOf = (node: PdfStructNode, page: PdfPageText): readonly Block[] => {
  switch (node.role) {
    case 'Table':
      return [tableBlock(node, page)];
    case 'L':
      return listsFromPlaces(placedItems(node, page));
    case 'Note':
      return leaf({ ...node, role: 'P' }, page).map((block) =>
        block.type === 'paragraph' ? paragraph(...raiseNumber(block.children)) : block,
      );
    case 'Code':
      return [codeBlock(linesOf(runsOf(node, page)))];
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
        ? innerBlocks(node, page)
        : leaf(node, page);
  }
};

/** The blocks of a page whose file says itself what is a heading, a list, a table. */
export const taggedBlocks = (page: PdfPageText): readonly Block[] =>
  page.structure === undefined ? [] : blocksOf({ ...page.structure, role: 'Root' }, page);
