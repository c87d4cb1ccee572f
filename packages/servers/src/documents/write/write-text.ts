import type { FootnoteDefinition, ListItem, Nodes, Root, TableRow } from 'mdast';
import { toString } from 'mdast-util-to-string';

const RAISED = new Map(
  Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ', (raised, index) => [Array.from('0123456789+-=()ni')[index], raised]),
);
const LOWERED = new Map(
  Array.from('₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎', (lowered, index) => [Array.from('0123456789+-=()')[index], lowered]),
);

const written = (text: string, letters: ReadonlyMap<string | undefined, string>, mark: string): string => {
  const characters = Array.from(text, (character) => letters.get(character));
  if (characters.every((character) => character !== undefined)) return characters.join('');
  return text.length === 1 ? mark + text : `${mark}(${text})`;
};

/** What stands raised, in plain text: with the letters that are made for it, else marked. */
const raised = (text: string): string => written(text, RAISED, '^');

const lowered = (text: string): string => written(text, LOWERED, '_');

const row = ({ children }: TableRow): string => children.map(inline).join('\t');

const indent = (text: string): string => text.replaceAll('\n', '\n  ');

const item = (node: ListItem, mark: string): string => `${mark} ${indent(node.children.map(block).join('\n'))}`;

const note = ({ identifier, children }: FootnoteDefinition): string =>
  `[${identifier}] ${indent(children.map(block).join('\n'))}`;

const inline = (node: Nodes): string => {
  const words = (): string => ('children' in node ? node.children.map(inline).join('') : toString(node));
  switch (node.type) {
    case 'break':
      return '\n';
    case 'html':
      return '';
    case 'superscript':
      return raised(words());
    case 'subscript':
      return lowered(words());
    case 'footnoteReference':
      return `[${node.identifier}]`;
    default:
      return words();
  }
};

const block = (node: Nodes): string => {
  switch (node.type) {
    case 'table':
      return node.children.map(row).join('\n');
    case 'list':
      return node.children
        .map((entry, index) => item(entry, node.ordered === true ? `${(node.start ?? 1) + index}.` : '-'))
        .join('\n');
    case 'blockquote':
      return node.children.map(block).join('\n\n');
    case 'footnoteDefinition':
      return note(node);
    case 'thematicBreak':
    case 'definition':
    case 'html':
      return '';
    default:
      return inline(node);
  }
};

/** Words only: cells are separated by tabs, blocks by empty lines. */
export const writeText = (tree: Root): string => {
  const blocks = tree.children.map(block).filter((text) => text.trim() !== '');
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
};
