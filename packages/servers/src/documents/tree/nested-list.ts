import type { List, ListItem, PhrasingContent } from 'mdast';
import { paragraph } from './tree.js';

export interface FlatItem {
  /** 0 is the outermost. */
  readonly level: number;
  readonly ordered: boolean;
  /** Its own number, where it is known: the first of a list is where the list begins. */
  readonly start?: number | undefined;
  readonly children: readonly PhrasingContent[];
}

const emptyList = ({ ordered, start }: Pick<FlatItem, 'ordered' | 'start'>): List => ({
  type: 'list',
  ordered,
  ...(ordered && start !== undefined ? { start } : {}),
  spread: false,
  children: [],
});

/** Builds lists in lists from items that only know how deep they stand. */
export const nestedList = (items: readonly FlatItem[]): List => {
  const root = emptyList(items[0] ?? { ordered: false });
  const open: List[] = [root];
  for (const item of items) {
    // A level cannot be skipped: it would have no item to hang on.
    const level = Math.min(item.level, open.at(-1)?.children.length === 0 ? open.length - 1 : open.length);
    open.length = Math.min(open.length, level + 1);
    if (level === open.length) {
      const inner = emptyList(item);
      open.at(-1)?.children.at(-1)?.children.push(inner);
      open.push(inner);
    }
    const entry: ListItem = { type: 'listItem', spread: false, children: [paragraph(...item.children)] };
    open.at(-1)?.children.push(entry);
  }
  return root;
};
