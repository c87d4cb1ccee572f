import type { Logger } from './logger.js';

const silent = (): void => {};

/** A hub composed for one command reports in its answers; a log between them would only disturb. */
export const quietLogger: Logger = { info: silent, warn: silent, error: silent };
