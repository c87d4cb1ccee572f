import type { IncomingMessage } from 'node:http';
import { PlugboardError } from '@plugboard/contract';

export interface BodyLimits {
  readonly maxBytes: number;
  /** How long the whole body may take to arrive. */
  readonly deadlineMs: number;
}

export const DEFAULT_BODY_LIMITS: BodyLimits = { maxBytes: 4 * 1024 * 1024, deadlineMs: 30_000 };

const tooLarge = (maxBytes: number): PlugboardError =>
  new PlugboardError('PAYLOAD_TOO_LARGE', `The body is larger than ${Math.floor(maxBytes / 1024)} KiB.`, {
    hint: 'Send less, or hand large data over by reference.',
  });

const tooSlow = (): PlugboardError =>
  new PlugboardError('INVALID_REQUEST', 'The body did not arrive in time.', { hint: 'Send it without pauses.' });

const hungUp = (): PlugboardError => new PlugboardError('CANCELLED', 'The caller hung up in the middle of its body.');

/** Throws INVALID_JSON for bytes that are no UTF-8. */
export const textOf = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PlugboardError('INVALID_JSON', 'The body is not valid UTF-8.', { hint: 'Encode it as UTF-8.', cause });
  }
};

const joined = (chunks: readonly Buffer[]): Buffer => {
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
};

/** Who gets the body of a request, or hears why there is none. Exactly one of the two is called, once. */
export interface BodyTaker {
  onBody(bytes: Buffer): void;
  onFailure(error: PlugboardError): void;
}

/** Reads the whole body; refused as soon as it is known to be too large, without keeping it. */
export const takeBody = (request: IncomingMessage, limits: BodyLimits, taker: BodyTaker): void => {
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) {
    taker.onFailure(tooLarge(limits.maxBytes));
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  let settled = false;
  const fail = (error: () => PlugboardError): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    taker.onFailure(error());
  };
  const timer = setTimeout(fail, limits.deadlineMs, tooSlow);
  // The listeners go with the request, so only the timer has to be released.
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limits.maxBytes) fail(() => tooLarge(limits.maxBytes));
    else if (!settled) chunks.push(chunk);
  });
  request.once('end', () => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    taker.onBody(joined(chunks));
  });
  const onGone = (): void => fail(hungUp);
  request.once('close', onGone).once('error', onGone);
};

/** The whole body as text. */
export const readBody = async (request: IncomingMessage, limits: BodyLimits = DEFAULT_BODY_LIMITS): Promise<string> =>
  textOf(
    await new Promise<Buffer>((resolve, reject) => takeBody(request, limits, { onBody: resolve, onFailure: reject })),
  );
