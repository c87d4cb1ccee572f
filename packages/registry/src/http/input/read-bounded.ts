import { collectBytes } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';

export const tooLarge = (limit: number): PlugboardError =>
  new PlugboardError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit} bytes.`, {
    hint: 'Send less in one request.',
    details: { limit_bytes: limit },
  });

/** The bytes of a request; reading stops as soon as there are more than allowed. */
export const readBounded = async ({ body }: Request, limit: number): Promise<Buffer> => {
  try {
    return await collectBytes(body, { maxBytes: limit, tooLarge });
  } catch (cause) {
    if (cause instanceof PlugboardError) throw cause;
    throw new PlugboardError('CANCELLED', 'The request ended before its body was complete.', {
      hint: 'Send the request again.',
      cause,
    });
  }
};
