import { PlugboardError } from '@plugboard/contract';

export const tooLarge = (limit: number): PlugboardError =>
  new PlugboardError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, {
    hint: 'Send less in one request.',
    details: { limit_bytes: limit },
  });

/** The bytes of a request; reading stops as soon as there are more than allowed. */
export const readBounded = async (request: Request, limit: number): Promise<Uint8Array> => {
  const reader = request.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks, size);
      size += value.byteLength;
      if (size > limit) throw tooLarge(limit);
      chunks.push(value);
    }
  } catch (cause) {
    if (cause instanceof PlugboardError) throw cause;
    throw new PlugboardError('CANCELLED', 'The request ended before its body was complete.', {
      hint: 'Send the request again.',
      cause,
    });
  } finally {
    // The rest is not wanted; a source that fails to stop has nothing left to say.
    await reader.cancel().catch(() => undefined);
  }
};
