import type { BlockContent, FootnoteDefinition, Nodes, Paragraph, Parents } from 'mdast';
import { toString } from 'mdast-util-to-string';
import { trimPhrasing, type Block } from '../../tree/tree.js';

const isMark = (node: Nodes | undefined): boolean =>
  node?.type === 'superscript' && /^\d{1,3}$/u.test(toString(node).trim());

/** Raised numbers in the text that refer to these notes become references, in place. */
const refer = (parent: Parents, identifiers: ReadonlyMap<string, string>): void => {
  const children = parent.children.map((node): Nodes => {
    const identifier = isMark(node) ? identifiers.get(toString(node).trim()) : undefined;
    if (identifier !== undefined) return { type: 'footnoteReference', identifier };
    if ('children' in node) refer(node, identifiers);
    return node;
  });
  parent.children = children as typeof parent.children;
};

const marksIn = (node: Nodes): readonly string[] => {
  if (isMark(node)) return [toString(node).trim()];
  return 'children' in node ? node.children.flatMap(marksIn) : [];
};

/** A paragraph that begins with a raised number is a note, when the text of the page has the same number raised. */
const noteNumber = (block: Block): string | undefined => {
  if (block.type !== 'paragraph') return undefined;
  const [first] = block.children;
  return first !== undefined && isMark(first) ? toString(first).trim() : undefined;
};

const definition = (block: Paragraph, identifier: string): FootnoteDefinition => ({
  type: 'footnoteDefinition',
  identifier,
  children: [{ ...block, children: [...trimPhrasing(block.children.slice(1))] }] satisfies BlockContent[],
});

/** Finds the footnotes of one page. */
export const withPageNotes = (blocks: readonly Block[], page: number): readonly Block[] => {
  const body = blocks.filter((block) => noteNumber(block) === undefined);
  const referred = new Set(body.flatMap(marksIn));
  const notes = blocks.filter((block) => referred.has(noteNumber(block) ?? ''));
  if (notes.length === 0) return blocks;
  const identifiers = new Map(notes.map((note) => [noteNumber(note) ?? '', `${page} ${noteNumber(note) ?? ''}`]));
  const rest = blocks.filter((block) => !notes.includes(block));
  refer({ type: 'root', children: [...rest] }, identifiers);
  const definitions = notes.flatMap((note) =>
    note.type === 'paragraph' ? [definition(note, identifiers.get(noteNumber(note) ?? '') ?? '')] : [],
  );
  return [...rest, ...definitions];
};
