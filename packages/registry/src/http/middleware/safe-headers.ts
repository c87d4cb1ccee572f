import type { MiddlewareHandler } from 'hono';

/** Answers may hold what only this caller may see, and are never anything but what they say they are. */
export const safeHeaders: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('X-Content-Type-Options', 'nosniff');
  // A page with a form has a policy of its own: without any referrer, its browser would not name the origin.
  if (!c.res.headers.has('Referrer-Policy')) c.header('Referrer-Policy', 'no-referrer');
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
};
