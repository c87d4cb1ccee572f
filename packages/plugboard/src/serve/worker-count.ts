import { availableParallelism } from 'node:os';
import { PlugboardError } from '@plugboard/contract';

const MAX_WORKERS = 256;

/** How many processes `--workers` means: a number, or `auto` for one for each core. */
export const workerCount = (text: string, cores: number = availableParallelism()): number => {
  if (text === 'auto') return Math.max(1, cores);
  const count = Number(text);
  if (/^\d+$/u.test(text) && count >= 1 && count <= MAX_WORKERS) return count;
  throw new PlugboardError(
    'INVALID_ARGUMENT',
    `--workers is "${text}", but must be auto or a number from 1 to ${MAX_WORKERS}.`,
    {
      hint: 'Use --workers auto for one process for each core.',
    },
  );
};

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;
/** A worker that ran for so long was well. */
const WELL_MS = 30_000;

/** How long to wait before a worker is started again, after so many that failed soon. */
export const restartPause = (failures: number): number => Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);

/** How many workers in a row failed soon, after one that ran for this long. */
export const failuresAfter = (before: number, ranMs: number): number => (ranMs >= WELL_MS ? 0 : before + 1);
