import type { Nodes, Parents, Root } from 'mdast';
import { text } from './tree.js';

export interface ReferenceRules {
  /** Where a picture is to be found, if anywhere. */
  readonly image: (url: string) => string | undefined;
  /** Where a link leads; without an address only its words stay. */
  readonly link: (url: string) => string | undefined;
}

const SAFE_LINK = /^(?:https?:|mailto:|tel:|ftp:)/iu;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/iu;

/** Addresses that a reader may follow: no scripts, no files of the machine. */
export const safeLink = (url: string): string | undefined => {
  const trimmed = url.replaceAll(/[\u0000-\u0020]/gu, '');
  return SAFE_LINK.test(trimmed) || !HAS_SCHEME.test(trimmed) ? url : undefined;
};

export const webImage = (url: string): string | undefined => (/^https?:/iu.test(url) ? url : undefined);

const settled = (node: Nodes, rules: ReferenceRules): readonly Nodes[] => {
  if ('children' in node) settleChildren(node, rules);
  if (node.type === 'image') {
    const url = rules.image(node.url);
    if (url !== undefined) return [{ ...node, url }];
    const alt = (node.alt ?? '').trim();
    return alt === '' ? [] : [text(`[Image: ${alt}]`)];
  }
  if (node.type !== 'link') return [node];
  const url = rules.link(node.url);
  return url === undefined ? node.children : [{ ...node, url }];
};

const settleChildren = (parent: Parents, rules: ReferenceRules): void => {
  const children = parent.children.flatMap((child) => settled(child, rules));
  // A node is replaced by itself, by its own words or by text: what may stand there stays what may stand there.
  parent.children = children as typeof parent.children;
};

/** Gives every picture and link its final address, in place. */
export const settleReferences = (tree: Root, rules: ReferenceRules): Root => {
  settleChildren(tree, rules);
  tree.children = tree.children.filter((block) => block.type !== 'paragraph' || block.children.length > 0);
  return tree;
};
