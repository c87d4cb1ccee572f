import { tellHint, toErrorEnvelope, toPlugboardError, type PlugboardError } from '@plugboard/contract';
import type { Context, ErrorHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AdminLog } from '../admin-context.js';

const FALLBACK = tellHint({
  api: 'GET /docs/api describes this API.',
  cli: 'The command with --help describes its options.',
});

/** The one form in which a failure leaves this API. */
export const errorResponse = (c: Context, error: PlugboardError): Response => {
  const { error: description, detail } = toErrorEnvelope(error);
  if (error.retryAfterMs !== undefined) c.header('Retry-After', String(Math.ceil(error.retryAfterMs / 1000)));
  // The rest of a body that was refused unread would be taken for the next request.
  if (error.code === 'PAYLOAD_TOO_LARGE') c.header('Connection', 'close');
  return c.json(
    { error: description.hint === undefined ? { ...description, ...FALLBACK } : description, detail },
    error.httpStatus as ContentfulStatusCode,
  );
};

/** Whatever was thrown becomes the envelope; only what nobody expected is logged. */
export const errorEnvelope =
  (log: AdminLog): ErrorHandler =>
  (thrown, c) => {
    const error = toPlugboardError(thrown);
    if (error.code === 'INTERNAL') {
      log.error('A request failed unexpectedly.', {
        err: error.cause ?? error,
        method: c.req.method,
        path: c.req.path,
      });
    }
    return errorResponse(c, error);
  };
