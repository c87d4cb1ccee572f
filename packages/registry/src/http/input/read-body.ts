import { strictUtf8 } from '@plugboard/base';
import { declaresJson, parseBoundedJson, PlugboardError } from '@plugboard/contract';
import type { Operation } from '../endpoint/operation.js';
import type { AdminLimits } from '../limits.js';
import { readBounded } from './read-bounded.js';
import { refuseProtoKeys } from './refuse-proto-keys.js';

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

/** The JSON body of a request, bounded in size and depth; `{}` when there is none and the operation allows that. */
export const readBody = async (request: Request, operation: Operation, limits: AdminLimits): Promise<unknown> => {
  const bytes = await readBounded(request, limits.maxBodyBytes);
  if (bytes.length === 0) {
    if (operation.bodyOptional === true) return {};
    throw new PlugboardError('INVALID_JSON', 'The request has no body.', {
      hint: {
        api: 'Send a JSON object; GET /openapi.json describes it.',
        cli: 'Update the command line: it must have the version of the hub.',
      },
    });
  }
  checkMediaType(request.headers);
  const value = parseBoundedJson(decode(bytes), limits.maxJsonDepth);
  refuseProtoKeys(value);
  return value;
};
