import { PlugboardError } from '@plugboard/contract';
import { findRunningHub } from '../hub-api/connect/running-hub.js';
import type { ProcessContext } from '../process/process-context.js';

/** Rejects with CONFLICT when a hub already runs on this home. */
export const assertOnlyHub = async (home: string, process: ProcessContext): Promise<void> => {
  const running = await findRunningHub(home, { fetch, isAlive: process.isAlive, signal: process.signal });
  if (running.state !== 'answers' || running.pid === process.pid) return;
  throw new PlugboardError('CONFLICT', `A hub already runs on this home, at ${running.url} (process ${running.pid}).`, {
    hint: 'Use that one, stop it, or start this one with another --home.',
  });
};
