import { PlugboardError } from '@plugboard/contract';
import type { NotFoundHandler } from 'hono';
import type { Operation } from '../operation.js';
import { fitsTemplate } from '../endpoint/path-template.js';
import { errorResponse } from './error-envelope.js';

/** No route answered: either the path is unknown, or it is known under other methods. */
export const routeMiss =
  (operations: readonly Operation[]): NotFoundHandler =>
  (c) => {
    const methods = operations
      .filter(({ path }) => fitsTemplate(path, c.req.path))
      .map(({ method }) => method.toUpperCase());
    if (methods.length === 0) {
      return errorResponse(
        c,
        new PlugboardError('NOT_FOUND', 'This route does not exist.', {
          hint: {
            api: 'GET /docs/api lists the routes of this API.',
            cli: 'Update the command line or the hub: both must have the same version.',
          },
        }),
      );
    }
    const allowed = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
    c.header('Allow', allowed);
    if (c.req.method === 'OPTIONS') return c.body(null, 204);
    return errorResponse(
      c,
      new PlugboardError('METHOD_NOT_ALLOWED', 'This route does not support that method.', {
        hint: `Use ${allowed}.`,
        details: { allow: allowed.split(', ') },
      }),
    );
  };
