import type { List, Nodes } from 'mdast';

const isTight = ({ children }: List): boolean =>
  children.every((item) => item.children.filter((block) => block.type !== 'list').length <= 1);

/** Lists whose items are a line each, with or without a list below it, are written without empty lines; in place. */
export const tightLists = <T extends Nodes>(node: T): T => {
  if (node.type === 'list' && isTight(node)) {
    node.spread = false;
    for (const item of node.children) item.spread = false;
  }
  if ('children' in node) for (const child of node.children) tightLists(child);
  return node;
};
