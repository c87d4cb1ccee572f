import type { MiddlewareHandler } from 'hono';
import { bodyTooLarge } from '@plugboard/contract';

/** Refuses a body that says itself that it is too large, before a byte of it is read. */
export const declaredLength =
  (limit: number): MiddlewareHandler =>
  async (c, next) => {
    const declared = Number(c.req.header('content-length') ?? '0');
    if (declared > limit) throw bodyTooLarge(limit);
    await next();
  };
