import type { Element, ElementContent, Nodes, Root as HtmlRoot } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { toMdast, type Handle, type State } from 'hast-util-to-mdast';
import type { BlockContent, FootnoteDefinition, PhrasingContent, Root } from 'mdast';
import { DocumentError } from '../document-error.js';
import { mathmlToLatex } from '../math/mathml-latex.js';
import type { XmlElement } from '../xml/xml-element.js';
import { displayMath, inlineMath, subscript, superscript } from '../tree/extra-nodes.js';
import { NOTE_REFERENCE, takeNotes } from './html-notes.js';
import { numberFootnotes } from '../tree/number-footnotes.js';
import { tightLists } from './tight-lists.js';

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
    if (only !== undefined && isElement(only, 'p') && others.every((child) => isElement(child, 'ul', 'ol'))) {
      item.children = [...only.children, ...others];
    }
  }
};

/** A cell is one line in Markdown: its paragraphs stand side by side. */
const flattenCell = (cell: Element): void => {
  cell.children = cell.children.flatMap((child, index) => {
    if (!isElement(child, 'p')) return [child];
    return index === 0 ? child.children : [{ type: 'text', value: ' ' }, ...child.children];
  });
};

/** An anchor that leads nowhere is a place, not a link; its words stay. */
const withoutAnchors = (children: readonly ElementContent[]): ElementContent[] =>
  children.flatMap((child) =>
    isElement(child, 'a') && (child.properties['href'] ?? '') === '' ? withoutAnchors(child.children) : [child],
  );

const prepare = (node: Nodes): void => {
  if (!('children' in node)) return;
  node.children = node.children.filter((child) => child.type !== 'comment') as typeof node.children;
  if (node.type === 'element') node.children = withoutAnchors(node.children);
  if (isElement(node, 'table')) giveHead(node);
  if (isElement(node, 'ul', 'ol')) tighten(node);
  if (isElement(node, 'td', 'th')) flattenCell(node);
  for (const child of node.children) prepare(child);
};

const asXml = ({ tagName, properties, children }: Element): XmlElement => ({
  name: tagName,
  attributes: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, String(value)])),
  children: children.flatMap((child): readonly (XmlElement | string)[] => {
    if (child.type === 'text') return [child.value];
    return child.type === 'element' ? [asXml(child)] : [];
  }),
});

const words = (state: State, node: Element): PhrasingContent[] => state.all(node) as PhrasingContent[];

const handlers: Readonly<Record<string, Handle>> = {
  sup: (state, node: Element) => superscript(words(state, node)),
  sub: (state, node: Element) => subscript(words(state, node)),
  math: (_state, node: Element) => {
    const latex = mathmlToLatex(asXml(node));
    return node.properties['display'] === 'block' ? displayMath(latex) : inlineMath(latex);
  },
  [NOTE_REFERENCE]: (_state, node: Element) => ({
    type: 'footnoteReference',
    identifier: String(node.properties['dataNote']),
  }),
};

const treeOf = (root: HtmlRoot): Root => {
  prepare(root);
  const tree = toMdast(root, { document: true, handlers });
  return tree.type === 'root' ? tightLists(tree) : { type: 'root', children: [] };
};

/**
 * HTML as a Markdown tree: headings, lists, tables, links, code, formulas and notes keep their meaning; scripts and styles
 * vanish. `prefix` tells the notes of several pages apart.
 */
export const markdownTree = (root: HtmlRoot, prefix?: string): Root => {
  const notes = takeNotes(root, prefix);
  const tree = treeOf(root);
  const definitions = notes.map(({ identifier, children }): FootnoteDefinition => ({
    type: 'footnoteDefinition',
    identifier,
    children: treeOf({ type: 'root', children: [...children] }).children as BlockContent[],
  }));
  return prefix === undefined
    ? numberFootnotes({ ...tree, children: [...tree.children, ...definitions] })
    : { ...tree, children: [...tree.children, ...definitions] };
};
