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

/** The whole body; refused as soon as it is known to be too large, without keeping it. */
export const readBytes = (request: IncomingMessage, limits: BodyLimits = DEFAULT_BODY_LIMITS): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) {
      reject(tooLarge(limits.maxBytes));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      act();
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limits.maxBytes) settle(() => reject(tooLarge(limits.maxBytes)));
      else chunks.push(chunk);
    };
    const onEnd = (): void => settle(() => resolve(joined(chunks)));
    const onClose = (): void =>
      settle(() => reject(new PlugboardError('CANCELLED', 'The caller hung up in the middle of its body.')));
    const timer = setTimeout(() => settle(() => reject(tooSlow())), limits.deadlineMs);
    request.on('data', onData).once('end', onEnd).once('close', onClose).once('error', onClose);
  });

/** The whole body as text. */
export const readBody = async (request: IncomingMessage, limits?: BodyLimits): Promise<string> =>
  textOf(await readBytes(request, limits));
