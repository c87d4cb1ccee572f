import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';

/** The name under which replicas tell each other of changes. */
export const CHANGE_CHANNEL = 'plugboard_change';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2000;
const CONNECT_MS = 5000;

/** Listens on one connection until it ends. */
const listenOnce = async (client: Client, listener: () => void, signal: AbortSignal): Promise<void> => {
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve);
    client.on('error', () => resolve());
  });
  await client.connect();
  client.on('notification', listener);
  await client.query(`listen ${CHANGE_CHANNEL}`);
  // What was announced while nobody listened: the listener compares versions, so no announcement has to be kept.
  listener();
  const stopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([ended, stopped]);
};

/**
 * Calls the listener after changes that other processes announce, and after each time that the connection was made:
 * changes may have been announced before. Returns the way to stop.
 */
export const listenForChanges = (url: string, listener: () => void): (() => Promise<void>) => {
  const stop = new AbortController();
  const { signal } = stop;
  const listening = (async (): Promise<void> => {
    // loaded here, because the embedded store does not need it
    const { default: pg } = await import('pg');
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'plugboard-changes',
        connectionTimeoutMillis: CONNECT_MS,
        keepAlive: true,
      });
      try {
        await listenOnce(
          client,
          () => {
            pauseMs = FIRST_PAUSE_MS;
            listener();
          },
          signal,
        );
      } catch {
        // The store itself reports that the database does not answer; here it is tried again.
      } finally {
        await client.end().catch(() => undefined);
      }
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  })();
  return async () => {
    stop.abort();
    await listening;
  };
};
