import { readFileSync } from 'node:fs';

/** Where the system does not say, what most of them allow. */
const USUAL_OPEN_FILES = 4096;

/** How many files this process may have open. Node raises the soft limit to the hard one at start, so the soft one counts. */
export const openFileLimit = (): number => {
  try {
    const line = /^Max open files\s+(\d+|unlimited)/mu.exec(readFileSync('/proc/self/limits', 'utf8'));
    return line?.[1] === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(line?.[1] ?? USUAL_OPEN_FILES);
  } catch {
    return USUAL_OPEN_FILES;
  }
};
