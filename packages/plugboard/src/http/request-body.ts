import type { IncomingMessage } from 'node:http';
import { collectBytes, strictUtf8 } from '@plugboard/base';
import { bodyTooLarge, PlugboardError } from '@plugboard/contract';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** For what strangers send before it is known who they are: a key, and nothing else. */
export const MAX_FORM_BYTES = 16 * 1024;

export interface BodyBounds {
  readonly maxBytes?: number | undefined;
  /** Asks for so much memory; throws when there is none. */
  readonly take?: ((bytes: number) => void) | undefined;
}

/** The whole body as text; refused as soon as it is known to be too large, without keeping it. */
export const readBody = async (
  request: IncomingMessage,
  { maxBytes = MAX_BODY_BYTES, take }: BodyBounds = {},
): Promise<string> => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const text = strictUtf8(await collectBytes(request, { maxBytes, tooLarge: bodyTooLarge, onChunk: take }));
  if (text !== undefined) return text;
  throw new PlugboardError('INVALID_JSON', 'The body is not valid UTF-8.', { hint: 'Encode it as UTF-8.' });
};
