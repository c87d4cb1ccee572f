import { setTimeout as sleep } from 'node:timers/promises';
import type { ProxyFault } from '../board/proxy-fault.js';

/** One piece of bytes, and how long it waits before it is passed on. */
export interface Paced {
  readonly bytes: Buffer;
  readonly waitMs: number;
}

/** How armed faults let a chunk through: in which pieces, and after which waits. */
export const pace = (chunk: Buffer, faults: readonly ProxyFault[], random: () => number): readonly Paced[] => {
  let pieces: readonly Paced[] = [{ bytes: chunk, waitMs: 0 }];
  for (const fault of faults) {
    if (fault.kind === 'slicer') {
      pieces = pieces.flatMap(({ bytes, waitMs }) =>
        slices(bytes, fault.bytes).map((slice, index) => ({
          bytes: slice,
          waitMs: index === 0 ? waitMs : fault.everyMs,
        })),
      );
    } else if (fault.kind === 'bandwidth') {
      pieces = pieces.map(({ bytes, waitMs }) => ({
        bytes,
        waitMs: waitMs + (bytes.length / fault.bytesPerSecond) * 1_000,
      }));
    } else if (fault.kind === 'latency') {
      const jitter = (random() * 2 - 1) * (fault.jitterMs ?? 0);
      const [first, ...rest] = pieces;
      pieces =
        first === undefined
          ? []
          : [{ bytes: first.bytes, waitMs: first.waitMs + Math.max(0, fault.ms + jitter) }, ...rest];
    }
  }
  return pieces;
};

export const slices = (bytes: Buffer, size: number): readonly Buffer[] => {
  const found: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += Math.max(1, size)) found.push(bytes.subarray(at, at + Math.max(1, size)));
  return found;
};

/** Hands on the pieces one after the other; ends early when nobody takes them any more. */
export const handOn = async (
  pieces: readonly Paced[],
  write: (bytes: Buffer) => boolean,
  signal: AbortSignal,
): Promise<void> => {
  for (const { bytes, waitMs } of pieces) {
    if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || !write(bytes)) return;
  }
};
