import { collectBytes } from '@plugboard/base';
import { bodyTooLarge, PlugboardError } from '@plugboard/contract';

/** The bytes of a request; reading stops as soon as there are more than allowed. */
export const readBounded = async ({ body }: Request, limit: number): Promise<Buffer> => {
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
