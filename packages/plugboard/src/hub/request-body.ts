import type { IncomingMessage } from 'node:http';
import { PlugboardError } from '@plugboard/contract';

export const MAX_BODY_BYTES = 4 * 1024 * 1024;

const tooLarge = (): PlugboardError =>
  new PlugboardError('PAYLOAD_TOO_LARGE', `The body is larger than ${MAX_BODY_BYTES / 1024 / 1024} MiB.`, {
    hint: 'Send less, or hand large data over by reference.',
  });

const decode = (chunks: readonly Buffer[]): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new PlugboardError('INVALID_JSON', 'The body is not valid UTF-8.', { hint: 'Encode it as UTF-8.', cause });
  }
};

/** The whole body as text; refused as soon as it is known to be too large, without keeping it. */
export const readBody = async (request: IncomingMessage): Promise<string> => {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return decode(chunks);
};
