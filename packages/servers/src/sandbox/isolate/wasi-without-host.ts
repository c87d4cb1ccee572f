import type { LinearMemory } from './engine-module.js';
const SUCCESS = 0;
const NANOSECONDS = 1_000_000n;

/**
 * The system interface that the engine was linked against, with nothing of the system behind it: a clock that knows
 * milliseconds, random numbers, and a void where it would write.
 */
export const wasiWithoutHost = (memory: LinearMemory) => ({
  clock_time_get: (_clock: number, _precision: bigint, result: number): number => {
    new DataView(memory.buffer).setBigUint64(result, BigInt(Date.now()) * NANOSECONDS, true);
    return SUCCESS;
  },
  random_get: (start: number, length: number): number => {
    crypto.getRandomValues(new Uint8Array(memory.buffer, start, length));
    return SUCCESS;
  },
  fd_write: (_descriptor: number, vectors: number, count: number, written: number): number => {
    const view = new DataView(memory.buffer);
    let bytes = 0;
    for (let index = 0; index < count; index += 1) bytes += view.getUint32(vectors + index * 8 + 4, true);
    view.setUint32(written, bytes, true);
    return SUCCESS;
  },
});
