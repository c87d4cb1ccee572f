import { ByteParts } from '@plugboard/base';
import type { McpClientError } from '../error/client-error.js';
import { McpProtocolError } from '../error/error-family.js';
import { abortedError } from '../error/aborted-error.js';
import { networkError } from '../error/network-error.js';
import { toClientError } from '../error/to-client-error.js';
import type { Room } from '../read-buffer/byte-budget.js';
import { ownBytes } from '../read-buffer/kept-bytes.js';
import type { HttpAnswer } from './http-channel.js';
import type { Pace } from './transport.js';

const MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface BodyReading {
  readonly signal: AbortSignal;
  readonly host: string;
  /** What it gets may be lent. */
  readonly onChunk: (chunk: Buffer) => void;
  readonly pace?: Pace | undefined;
}

const CLOSED = { code: 'ECONNRESET', message: 'closed' };

/** Reads a body chunk by chunk. A cut in the middle leaves it open what the server did. */
export const readChunks = (answer: HttpAnswer, { signal, host, onChunk, pace }: BodyReading): Promise<void> =>
  new Promise((resolve, reject) => {
    const { body } = answer;
    const settle = (finish: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      body.lendTo?.(undefined);
      body.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      finish();
    };
    const fail = (error: McpClientError): void =>
      settle(() => {
        // What comes after the end is nobody's business any more.
        body.on('error', () => undefined).destroy();
        reject(error);
      });
    const onAbort = (): void => fail(abortedError(signal, 'ambiguous'));
    const onError = (thrown: unknown): void => fail(networkError(thrown, host).with({ delivery: 'ambiguous' }));
    const onClose = (): void => onError(CLOSED);
    const onEnd = (): void => settle(resolve);
    const onData = (chunk: Buffer): void => {
      try {
        onChunk(chunk);
        const wait = pace?.();
        if (wait === undefined) return;
        // The server's own socket fills up, and it waits as it would for us.
        body.pause();
        void wait.finally(() => body.resume());
      } catch (thrown) {
        fail(toClientError(thrown));
      }
    };
    signal.addEventListener('abort', onAbort, { once: true });
    body.lendTo?.(onData);
    body.on('end', onEnd).on('error', onError).on('close', onClose).on('data', onData);
    if (signal.aborted) onAbort();
    // It says so only once, perhaps before anybody listened.
    else if (body.destroyed) onError(body.errored ?? CLOSED);
  });

/** Throws OVERLOADED when what a server sends cannot be kept: it sends too much at a time, or others have used up all room. */
export const requireRoom = (room: Room | undefined, bytes: number, host: string): void => {
  const refused = room?.grow(bytes);
  if (refused === undefined) return;
  const whose =
    refused === 'holder' ? `Answers of ${host} use all the memory that one server may use` : 'The hub is out of memory';
  throw new McpProtocolError('OVERLOADED', `${whose}, so this answer was not read completely.`, {
    hint: 'Make fewer calls with large answers at the same time, or ask for less. An operator can raise bounds.memoryMb.',
    delivery: 'answered',
    details: { refused_by: 'plugboard' },
  });
};

type Reading = Omit<BodyReading, 'onChunk'> & { readonly onActivity?: (() => void) | undefined };

/** Reads a body up to a bound, and counts it. */
export const readBounded = async (
  answer: HttpAnswer,
  reading: Reading,
  room: Room | undefined,
  onChunk: (chunk: Buffer) => void,
): Promise<void> => {
  let size = 0;
  await readChunks(answer, {
    ...reading,
    onChunk: (chunk) => {
      reading.onActivity?.();
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        throw new McpProtocolError(
          'UPSTREAM_PROTOCOL',
          `${reading.host} answered with more than ${MAX_BODY_BYTES / 1024 / 1024} MiB.`,
          {
            hint: 'Request less data, or a part of it.',
            delivery: 'answered',
          },
        );
      }
      requireRoom(room, chunk.length, reading.host);
      onChunk(chunk);
    },
  });
};

/** The whole body as text, up to a bound. */
export const readText = async (answer: HttpAnswer, reading: Reading): Promise<string> => {
  const parts = new ByteParts();
  using room = answer.room?.();
  await readBounded(answer, reading, room, (chunk) => parts.push(ownBytes(chunk)));
  return Buffer.concat(parts.take()).toString('utf8');
};
