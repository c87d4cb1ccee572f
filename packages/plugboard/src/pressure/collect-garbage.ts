import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * The runtime collects garbage when its heap grows, not when the hub is idle: after one large answer the memory stays taken.
 * The function that collects at once is found without a flag on the command line.
 */
export const garbageCollector = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return typeof collect === 'function' ? () => void collect() : () => undefined;
};
