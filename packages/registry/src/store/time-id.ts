import { randomFillSync } from 'node:crypto';

const MAX_COUNT = 0xfff;
/** Hexadecimal digits of each id. */
const RANDOM_DIGITS = 16;
/** Random bytes are drawn for many ids at once: a draw costs more than everything else together. */
const POOL_BYTES = 4096;

const randomHex = (): (() => string) => {
  const pool = Buffer.alloc(POOL_BYTES);
  let digits = '';
  let at = 0;
  return () => {
    if (at >= digits.length) {
      digits = randomFillSync(pool).toString('hex');
      at = 0;
    }
    at += RANDOM_DIGITS;
    return digits.slice(at - RANDOM_DIGITS, at);
  };
};

/** The digit with its two highest bits set to 1 and 0: the variant of the id. */
const variantOf = (digit: string): string => '89ab'.charAt(Number.parseInt(digit, 16) & 3);

/** Makes ids that sort by the time they were made at, and within one process by their order (UUID version 7). */
export const timeIds = <Prefix extends string>(prefix: Prefix): ((epochMs: number) => `${Prefix}-${string}`) => {
  const nextRandom = randomHex();
  let last = 0;
  let count = 0;
  let start = '';
  return (epochMs) => {
    count = epochMs > last ? 0 : count + 1;
    // a clock that goes back, or more entries than fit into a millisecond, borrow from the future
    if (count > MAX_COUNT) count = 0;
    if (count === 0) {
      last = Math.max(epochMs, last + 1);
      const time = last.toString(16).padStart(12, '0');
      start = `${prefix}-${time.slice(0, 8)}-${time.slice(8)}-7`;
    }
    const random = nextRandom();
    const counter = count.toString(16).padStart(3, '0');
    return `${start}${counter}-${variantOf(random.charAt(0))}${random.slice(1, 4)}-${random.slice(4)}` as `${Prefix}-${string}`;
  };
};
