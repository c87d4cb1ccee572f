import { ByteBudget } from '@plugboard/client';
import type { PressureFigures } from '@plugboard/gateway';
import type { Logger } from '../log/logger.js';
import type { BoundsSettings } from '../settings/bounds-settings.js';
import { garbageCollector } from './collect-garbage.js';
import { leaveMarkingToThreads } from './concurrent-marking.js';
import { LoopWatch } from './loop-watch.js';
import { MemoryGuard } from './memory-guard.js';
import { putEventLoopFirst } from './thread-priority.js';

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

export const composePressure = ({ memoryBytes, messageBytes }: BoundsSettings, log: Logger): Pressure => {
  leaveMarkingToThreads();
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
