import { randomFillSync } from 'node:crypto';
import type { AuditId } from '@plugboard/contract';

const MAX_COUNT = 0xfff;
const RANDOM_BYTES = 8;
/** Random bytes are drawn for many ids at once: a draw costs more than everything else together. */
const POOL_BYTES = 4096;

const randomHex = (): (() => string) => {
  const pool = Buffer.alloc(POOL_BYTES);
  let at = POOL_BYTES;
  return () => {
    if (at === POOL_BYTES) {
      randomFillSync(pool);
      at = 0;
    }
    at += RANDOM_BYTES;
    return pool.toString('hex', at - RANDOM_BYTES, at);
  };
};

/** Makes ids that sort by the time they were made at, and within one process by their order (UUID version 7). */
export const auditIds = (): ((epochMs: number) => AuditId) => {
  const nextRandom = randomHex();
  let last = 0;
  let count = 0;
  return (epochMs) => {
    count = epochMs > last ? 0 : count + 1;
    // a clock that goes back, or more entries than fit into a millisecond, borrow from the future
    if (count > MAX_COUNT) count = 0;
    last = Math.max(epochMs, count === 0 ? last + 1 : last);
    const time = last.toString(16).padStart(12, '0');
    const random = nextRandom();
    const variant = ((Number.parseInt(random[0] ?? '0', 16) & 3) | 8).toString(16);
    const counter = count.toString(16).padStart(3, '0');
    return `audit-${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${variant}${random.slice(1, 4)}-${random.slice(4, 16)}`;
  };
};
