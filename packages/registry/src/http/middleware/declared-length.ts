import type { MiddlewareHandler } from 'hono';
import { tooLarge } from '../input/read-bounded.js';

/** Refuses a body that says itself that it is too large, before a byte of it is read. */
export const declaredLength =
  (limit: number): MiddlewareHandler =>
  async (c, next) => {
    const declared = Number(c.req.header('content-length') ?? '0');
    if (declared > limit) throw tooLarge(limit);
    await next();
  };
