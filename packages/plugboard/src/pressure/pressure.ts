import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ByteBudget } from '@plugboard/client';
import type { PressureFigures } from '@plugboard/gateway';
import type { Logger } from '../log/logger.js';
import type { BoundsSettings } from '../settings/bounds-settings.js';
import { LoopWatch } from './loop-watch.js';
import { MemoryGuard } from './memory-guard.js';
import { putEventLoopFirst } from './thread-priority.js';

/**
 * Large messages make V8 look for garbage several times a second. Its tasks for that take turns with its own threads, but
 * they run one after the other on the event loop and block it for 20 ms in a heap of 50 MB. Without these tasks its threads
 * do nearly all of that work, and the event loop stops for its end alone.
 */
const leaveMarkingToThreads = (): void => setFlagsFromString('--no-incremental-marking-task');

/**
 * V8 learns which allocation sites make objects that survive, and then allocates in the old generation there. Registering
 * thousands of tools teaches it that of code that every call runs. A call that is over then leaves old objects, which keep
 * its young ones alive: with 20,000 tools, a call took 1.3 to 1.7 times the processor time.
 */
const allocateYoung = (): void => setFlagsFromString('--no-allocation-site-pretenuring');

/** How much work the hub can take, and what it says about that. */
export interface Pressure {
  /** Memory for what is sent by and to callers and servers. */
  readonly memory: ByteBudget;
  readonly guard: Pick<MemoryGuard, 'admit'>;
  figures(): PressureFigures;
  close(): void;
}

/** Of the room for messages, what one caller or one server may take. */
const HOLDER_SHARE = 0.25;

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

export const composePressure = ({ memoryBytes, messageBytes }: BoundsSettings, log: Logger): Pressure => {
  leaveMarkingToThreads();
  allocateYoung();
  putEventLoopFirst();
  const memory = new ByteBudget({ maxBytes: messageBytes, maxPerHolder: Math.floor(messageBytes * HOLDER_SHARE) });
  const guard = new MemoryGuard({
    budgetBytes: memoryBytes,
    log,
    collect: garbageCollector(),
    messagePeak: () => memory.takePeak(),
  });
  const loop = new LoopWatch({ log });
  return {
    memory,
    guard,
    figures: () => ({
      budgetBytes: memoryBytes,
      messageBytes: memory.used,
      isTight: guard.isTight,
      loopBlocked: loop.figures.count,
      loopBlockedSeconds: loop.figures.totalMs / 1000,
    }),
    close: () => {
      guard.close();
      loop.close();
    },
  };
};
