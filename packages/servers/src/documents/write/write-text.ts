import type { ListItem, Nodes, Root, TableRow } from 'mdast';
import { toString } from 'mdast-util-to-string';

const row = ({ children }: TableRow): string => children.map((cell) => toString(cell)).join('\t');

const indent = (text: string): string => text.replaceAll('\n', '\n  ');

const item = (node: ListItem, mark: string): string => `${mark} ${indent(node.children.map(block).join('\n'))}`;

const inline = (node: Nodes): string => {
  if (node.type === 'break') return '\n';
  if (node.type === 'html') return '';
  return 'children' in node ? node.children.map(inline).join('') : toString(node);
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
