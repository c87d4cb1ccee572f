import { PlugboardError } from '@plugboard/contract';
import type { BatchItem } from './provider.js';

/** Results are matched by id: each request of a batch needs its own. */
export const checkItems = (items: readonly BatchItem[]): void => {
  if (items.length === 0) throw new PlugboardError('INVALID_ARGUMENT', 'The batch has no requests.');
  const seen = new Set<string>();
  for (const { id } of items) {
    if (id === '') throw new PlugboardError('INVALID_ARGUMENT', 'A request in the batch has an empty id.');
    if (seen.has(id)) {
      throw new PlugboardError('INVALID_ARGUMENT', `Two requests in the batch have the id "${id}".`, {
        hint: 'Give each request its own id. Results are matched by id.',
      });
    }
    seen.add(id);
  }
};
