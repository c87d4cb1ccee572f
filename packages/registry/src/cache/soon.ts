import { setTimeout as wait } from 'node:timers/promises';

/** How long somebody who has an older value waits for the store. */
const PATIENCE_MS = 500;

/** What comes soon; undefined when it fails or takes longer. */
export const soon = async <Value>(
  coming: Promise<Value>,
  patienceMs: number = PATIENCE_MS,
): Promise<{ readonly value: Value } | undefined> => {
  const stop = new AbortController();
  const arrived = coming.then(
    (value) => ({ value }),
    () => undefined,
  );
  const late = wait(patienceMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([arrived, late]);
  } finally {
    stop.abort();
  }
};
