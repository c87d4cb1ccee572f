import { nestedList, type FlatItem } from '../../tree/nested-list.js';
import type { Block } from '../../tree/tree.js';

/** An item that only knows where it begins on the page. */
export interface PlacedItem extends Omit<FlatItem, 'level'> {
  readonly left: number;
}

const SAME_EDGE = 4;

/** The edges at which items begin, from left to right; what differs by a hair is one. */
const edgesOf = (items: readonly PlacedItem[]): readonly number[] => {
  const edges: number[] = [];
  for (const left of items.map((item) => item.left).sort((a, b) => a - b)) {
    if (edges.length === 0 || left - (edges.at(-1) ?? 0) > SAME_EDGE) edges.push(left);
  }
  return edges;
};

/** Numbers are set flush right as often as flush left: an item that counts on belongs to the list it counts on from. */
const levelsOf = (items: readonly PlacedItem[]): readonly number[] => {
  const edges = edgesOf(items);
  return items.map(({ left }) => edges.findLastIndex((edge) => left >= edge - SAME_EDGE));
};

/** Items at the same edge are one list, items further right hang on the one before. A change of kind starts a new list. */
export const listsFromPlaces = (items: readonly PlacedItem[]): readonly Block[] => {
  const levels = levelsOf(items);
  const groups: FlatItem[][] = [];
  for (const [index, { left: _left, ...item }] of items.entries()) {
    const level = levels[index] ?? 0;
    const group = groups.at(-1);
    const top = group?.find((other) => other.level === level && level === 0);
    if (group === undefined || (top !== undefined && top.ordered !== item.ordered)) groups.push([{ ...item, level }]);
    else group.push({ ...item, level });
  }
  return groups.map(nestedList);
};
