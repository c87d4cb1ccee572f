import type { JsonObject } from '../json-rpc/message.js';
import { INVALID_PARAMS, RpcError } from '../json-rpc/rpc-error.js';

const PREFIX = 'page:';

/** A cursor that every list takes and starts over with; the endless list hands these out. */
export const ENDLESS_PREFIX = 'endless:';

const encode = (key: string, offset: number): string => Buffer.from(`${PREFIX}${key}:${offset}`).toString('base64url');

/** A cursor belongs to the list that gave it. */
const decode = (key: string, cursor: unknown): number => {
  if (cursor === undefined) return 0;
  if (typeof cursor === 'string') {
    if (cursor.startsWith(ENDLESS_PREFIX)) return 0;
    const text = Buffer.from(cursor, 'base64url').toString('utf8');
    const start = `${PREFIX}${key}:`;
    const offset = text.startsWith(start) ? Number(text.slice(start.length)) : Number.NaN;
    if (Number.isSafeInteger(offset) && offset > 0) return offset;
  }
  throw new RpcError(INVALID_PARAMS, 'Invalid cursor');
};

/** One page of a list as `{ [key]: elements, nextCursor? }`. */
export const page = (key: string, elements: readonly JsonObject[], options: PageOptions): JsonObject => {
  const size = options.pageSize ?? elements.length;
  const offset = decode(key, options.cursor);
  const end = offset + Math.max(size, 1);
  return {
    [key]: elements.slice(offset, end),
    ...(end < elements.length ? { nextCursor: encode(key, end) } : {}),
  };
};

interface PageOptions {
  readonly cursor: unknown;
  readonly pageSize: number | undefined;
}
