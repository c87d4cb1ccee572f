import type { Element, Nodes, Root as HtmlRoot } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast } from 'hast-util-to-mdast';
import type { Root } from 'mdast';
import { DocumentError } from '../document-error.js';

/** Refuses what the recursive walks below could not return from; walks without recursion itself. */
const refuseDeepNesting = (root: Nodes, maxDepth: number): void => {
  let level: readonly Nodes[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) throw new DocumentError('TOO_DEEP', 'The document is nested too deeply.');
    level = level.flatMap((node) => ('children' in node ? node.children : []));
  }
};

export const parseHtml = (html: string, maxDepth: number): HtmlRoot => {
  try {
    const root = fromHtml(html, { fragment: false });
    refuseDeepNesting(root, maxDepth);
    return root;
  } catch (error) {
    if (error instanceof RangeError) throw new DocumentError('TOO_DEEP', 'The document is nested too deeply.');
    throw error;
  }
};

export const findElement = (root: Nodes, tagName: string): Element | undefined => {
  const queue: Nodes[] = [root];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    if (node.type === 'element' && node.tagName === tagName) return node;
    if ('children' in node) queue.push(...node.children);
  }
  return undefined;
};

const isElement = (node: Nodes, ...names: readonly string[]): node is Element =>
  node.type === 'element' && names.includes(node.tagName);

const rowsOf = (node: Element): readonly Element[] =>
  node.children.flatMap((child) => {
    if (isElement(child, 'tr')) return [child];
    return isElement(child, 'thead', 'tbody', 'tfoot') ? rowsOf(child) : [];
  });

/** Markdown tables have a head: a table without one gets its first row. */
const giveHead = (node: Element): void => {
  const [first, ...rest] = rowsOf(node);
  const hasHead = [first, ...rest].some((row) => row?.children.some((cell) => isElement(cell, 'th')));
  if (first === undefined || hasHead) return;
  for (const cell of first.children) if (isElement(cell, 'td')) cell.tagName = 'th';
};

/** An item with one paragraph is a line, not a paragraph. */
const tighten = (node: Element): void => {
  for (const item of node.children) {
    if (!isElement(item, 'li')) continue;
    const [only, ...others] = item.children.filter((child) => child.type !== 'text' || child.value.trim() !== '');
    if (only !== undefined && isElement(only, 'p') && others.every((child) => isElement(child, 'ul', 'ol')))
      item.children = [...only.children, ...others];
  }
};

/** A cell is one line in Markdown: its paragraphs stand side by side. */
const flattenCell = (cell: Element): void => {
  cell.children = cell.children.flatMap((child, index) => {
    if (!isElement(child, 'p')) return [child];
    return index === 0 ? child.children : [{ type: 'text', value: ' ' }, ...child.children];
  });
};

const prepare = (node: Nodes): void => {
  if (!('children' in node)) return;
  node.children = node.children.filter((child) => child.type !== 'comment') as typeof node.children;
  if (isElement(node, 'table')) giveHead(node);
  if (isElement(node, 'ul', 'ol')) tighten(node);
  if (isElement(node, 'td', 'th')) flattenCell(node);
  for (const child of node.children) prepare(child);
};

/** HTML as a Markdown tree: headings, lists, tables, links and code keep their meaning; scripts and styles vanish. */
export const markdownTree = (root: HtmlRoot): Root => {
  prepare(root);
  const tree = toMdast(root, { document: true });
  return tree.type === 'root' ? tree : { type: 'root', children: [] };
};
