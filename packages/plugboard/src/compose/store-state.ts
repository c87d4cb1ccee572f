import { setTimeout } from 'node:timers/promises';
import type { ReadyAnswer } from '@plugboard/contract';
import type { Store } from '@plugboard/registry';

const STORE_ANSWER_MS = 1000;

/** Asks the store something small; one that hangs is failing. */
export const storeState = async (store: Store): Promise<ReadyAnswer['store']> => {
  const answered = store.version().then(
    () => 'ok' as const,
    () => 'failing' as const,
  );
  return Promise.race([answered, setTimeout(STORE_ANSWER_MS, 'failing' as const, { ref: false })]);
};
