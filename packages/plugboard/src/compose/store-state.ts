import { setTimeout } from 'node:timers/promises';
import type { ReadyAnswer } from '@plugboard/contract';
import type { Store } from '@plugboard/registry';

const STORE_ANSWER_MS = 1000;

/** Asks the store something small, and whether writes fail; one that hangs is failing. */
export const storeState = async (store: Store): Promise<ReadyAnswer['store']> => {
  const answered = Promise.all([store.isWritable(), store.version()]).then(
    ([isWritable]) => (isWritable ? ('ok' as const) : ('failing' as const)),
    () => 'failing' as const,
  );
  return Promise.race([answered, setTimeout(STORE_ANSWER_MS, 'failing' as const, { ref: false })]);
};
