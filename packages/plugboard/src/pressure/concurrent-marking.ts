import { setFlagsFromString } from 'node:v8';

/**
 * Large messages make V8 look for garbage several times a second. Its tasks for that take turns with its own threads, but
 * they run one after the other on the event loop and block it for 20 ms in a heap of 50 MB. Without these tasks its threads
 * do nearly all of that work, and the event loop stops for its end alone.
 */
export const leaveMarkingToThreads = (): void => setFlagsFromString('--no-incremental-marking-task');
