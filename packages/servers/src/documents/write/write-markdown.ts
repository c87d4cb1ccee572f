import type { Nodes, Root } from 'mdast';
import { gfmToMarkdown } from 'mdast-util-gfm';
import { toMarkdown, type Handle, type Options } from 'mdast-util-to-markdown';
import type { DisplayMath, InlineMath, Subscript, Superscript } from '../tree/extra-nodes.js';

const tagged =
  (tag: 'sup' | 'sub'): Handle =>
  (node: Superscript | Subscript, _parent, state, info) => {
    const exit = state.enter('phrasing');
    const value = state.containerPhrasing(node, { ...info, before: '>', after: '<' });
    exit();
    return `<${tag}>${value}</${tag}>`;
  };

const handlers: Readonly<Record<string, Handle>> = {
  superscript: tagged('sup'),
  subscript: tagged('sub'),
  inlineMath: (node: InlineMath) => `$${node.value}$`,
  math: (node: DisplayMath) => `$$\n${node.value}\n$$`,
};

const hasMath = (node: Nodes): boolean =>
  node.type === 'inlineMath' || node.type === 'math' || ('children' in node && node.children.some(hasMath));

export const writeMarkdown = (tree: Root): string => {
  // Prices keep their plain dollar signs where no formula could be mistaken for one.
  const unsafe: Options['unsafe'] = hasMath(tree) ? [{ character: '$', inConstruct: 'phrasing' }] : [];
  return toMarkdown(tree, {
    bullet: '-',
    emphasis: '*',
    rule: '-',
    listItemIndent: 'one',
    fences: true,
    unsafe,
    handlers,
    // Aligned columns would make a wide table several times as large.
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  });
};
