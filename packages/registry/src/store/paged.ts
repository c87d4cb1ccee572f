import { PlugboardError, type PageQuery } from '@plugboard/contract';

/** The part of a list that a page asks for. */
export const paged = <Item extends { readonly id: string }>(
  items: readonly Item[],
  { limit, after }: PageQuery = {},
): readonly Item[] => {
  const previous = after === undefined ? -1 : items.findIndex((item) => item.id === after);
  if (after !== undefined && previous === -1) {
    throw new PlugboardError('INVALID_ARGUMENT', '"after" is not the id of an entry of this list.', {
      hint: 'Pass the id of the last entry on the previous page. If that entry was deleted, start again without "after".',
    });
  }
  return items.slice(previous + 1, limit === undefined ? undefined : previous + 1 + limit);
};
