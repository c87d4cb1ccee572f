import type { Element, Properties, Root as HtmlRoot } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Root } from 'mdast';
import { toHast, type Handlers } from 'mdast-util-to-hast';
import type { DisplayMath, InlineMath, Subscript, Superscript } from '../tree/extra-nodes.js';

const element = (tagName: string, properties: Properties, children: Element['children']): Element => ({
  type: 'element',
  tagName,
  properties,
  children,
});

// Formulas as MathJax and KaTeX find them.
const handlers: Handlers = {
  superscript: (state, node: Superscript) => element('sup', {}, state.all(node)),
  subscript: (state, node: Subscript) => element('sub', {}, state.all(node)),
  inlineMath: (_state, { value }: InlineMath) =>
    element('span', { className: ['math', 'inline'] }, [{ type: 'text', value: `\\(${value}\\)` }]),
  math: (_state, { value }: DisplayMath) =>
    element('p', { className: ['math', 'display'] }, [{ type: 'text', value: `\\[${value}\\]` }]),
};

/** A whole page, without scripts: raw HTML in a Markdown document does not pass. */
export const writeHtml = (tree: Root, title = ''): string => {
  const page: HtmlRoot = {
    type: 'root',
    children: [
      { type: 'doctype' },
      {
        type: 'element',
        tagName: 'html',
        properties: {},
        children: [
          {
            type: 'element',
            tagName: 'head',
            properties: {},
            children: [
              { type: 'element', tagName: 'meta', properties: { charSet: 'utf-8' }, children: [] },
              { type: 'element', tagName: 'title', properties: {}, children: [{ type: 'text', value: title }] },
            ],
          },
          { type: 'element', tagName: 'body', properties: {}, children: bodyOf(tree) },
        ],
      },
    ],
  };
  return `${toHtml(page)}\n`;
};

const bodyOf = (tree: Root) => {
  const root = toHast(tree, { handlers });
  return root.type === 'root' ? root.children.filter((node) => node.type !== 'doctype') : [];
};
