import { PlugboardError } from '@plugboard/contract';
import type { BatchItem } from './provider.js';

/** Results are matched by id: each request of a batch needs its own. */
export const checkItems = (items: readonly BatchItem[]): void => {
  if (items.length === 0) throw new PlugboardError('INVALID_ARGUMENT', 'The batch has no requests.');
  const seen = new Set<string>();
  for (const { id } of items) {
    if (id === '') throw new PlugboardError('INVALID_ARGUMENT', 'A request of the batch has an empty id.');
    if (seen.has(id)) {
      throw new PlugboardError('INVALID_ARGUMENT', `Two requests of the batch have the id "${id}".`, {
        hint: 'Give each request an id of its own: results are matched by it.',
      });
    }
    seen.add(id);
  }
};
