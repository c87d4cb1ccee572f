import type { Root as HtmlRoot } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Root } from 'mdast';
import { toHast } from 'mdast-util-to-hast';

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
  const root = toHast(tree);
  return root.type === 'root' ? root.children.filter((node) => node.type !== 'doctype') : [];
};
