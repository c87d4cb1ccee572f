import { randomUUID } from 'node:crypto';
import { toPlugboardError } from '@plugboard/contract';
import { type Store, StoredKeyedRequests } from '@plugboard/registry';
import type { Fleet } from '../fleet/fleet.js';
import type { Logger } from '../log/logger.js';

export interface KeyedRequestsParts {
  readonly store: Pick<Store, 'keyedRequests'>;
  readonly fleet: Pick<Fleet, 'mark' | 'isRunning'> | undefined;
  readonly log: Logger;
}

/** Requests with an idempotency key, carried out once by all processes of the store. */
export const composeKeyedRequests = ({ store, fleet, log }: KeyedRequestsParts): StoredKeyedRequests =>
  new StoredKeyedRequests({
    store: store.keyedRequests,
    holder: fleet?.mark ?? randomUUID(),
    isRunning: async (holder) => (await fleet?.isRunning(holder)) === true,
    onUnsaved: (thrown) =>
      log.warn('The outcome of a request with an idempotency key could not be stored yet.', {
        reason: toPlugboardError(thrown).message,
      }),
  });
