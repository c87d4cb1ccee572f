import { strictUtf8, collectBytes } from '@plugboard/base';
import { declaresJson, parseBoundedJson, PlugboardError, bodyTooLarge } from '@plugboard/contract';
import type { Operation } from '../operation.js';
import type { AdminLimits } from '../limits.js';

/** `__proto__` has no honest use as a key, and code that copies objects carelessly would obey it. */
const refuseProtoKeys = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw new PlugboardError('INVALID_REQUEST', 'The body contains the key "__proto__".', { hint: 'Leave it out.' });
  }
  for (const member of Object.values(value)) refuseProtoKeys(member);
};

/** The bytes of a request; reading stops as soon as there are more than allowed. */
const readBounded = async ({ body }: Request, limit: number): Promise<Buffer> => {
  try {
    return await collectBytes(body, { maxBytes: limit, tooLarge: bodyTooLarge });
  } catch (cause) {
    if (cause instanceof PlugboardError) throw cause;
    throw new PlugboardError('CANCELLED', 'The request ended before its body was complete.', {
      hint: 'Send the request again.',
      cause,
    });
  }
};

const checkMediaType = (headers: Headers): void => {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (declaresJson(headers.get('content-type')) && encoding === 'identity') return;
  throw new PlugboardError('UNSUPPORTED_MEDIA_TYPE', 'The body is not declared as plain JSON.', {
    hint: 'Send it uncompressed, in UTF-8, with Content-Type: application/json.',
  });
};

const decode = (bytes: Buffer): string => {
  const text = strictUtf8(bytes);
  // Editors on Windows begin files with a byte order mark, which is no part of JSON.
  if (text !== undefined) return text.replace(/^\uFEFF/u, '');
  throw new PlugboardError('INVALID_JSON', 'The body is not valid UTF-8.', {
    hint: 'Send one JSON document, encoded as UTF-8.',
  });
};

/** The JSON body of a request, bounded in size, depth and number of values; `{}` when there is none and the operation allows that. */
export const readBody = async (request: Request, operation: Operation, limits: AdminLimits): Promise<unknown> => {
  const bytes = await readBounded(request, limits.maxBodyBytes);
  if (bytes.length === 0) {
    if (operation.bodyOptional === true) return {};
    throw new PlugboardError('INVALID_JSON', 'The request has no body.', {
      hint: {
        api: 'Send a JSON object; GET /openapi.json describes it.',
        cli: 'Update the command line to the version of the hub.',
      },
    });
  }
  checkMediaType(request.headers);
  const value = parseBoundedJson(decode(bytes), { maxDepth: limits.maxJsonDepth, maxValues: limits.maxJsonValues });
  refuseProtoKeys(value);
  return value;
};
