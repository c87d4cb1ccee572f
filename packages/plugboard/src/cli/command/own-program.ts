import { join } from 'node:path';
import { packageDirectory } from '../../http-server/package-directory.js';

/** The file that `plugboard` runs, for processes that we start. */
export const ownProgram = (): string => join(packageDirectory(), 'dist', 'main.js');
