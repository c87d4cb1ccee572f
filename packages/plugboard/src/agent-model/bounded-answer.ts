import { ModelError } from '@plugboard/agent';
import { ByteParts } from '@plugboard/base';

export interface AnswerBounds {
  readonly maxBytes?: number | undefined;
  readonly maxEventBytes?: number | undefined;
}

export interface AnswerOrigin {
  /** Whom the error names. */
  readonly provider: string;
  /** Is the answer read as server-sent events? */
  readonly isEventStream: boolean;
}

const MIB = 1024 * 1024;
const MAX_BYTES = 32 * MIB;
const MAX_EVENT_BYTES = MIB;

const LF = 10;
const CR = 13;

const tooLarge = (provider: string, said: string): ModelError =>
  new ModelError('server', {
    provider,
    said,
    hint: 'Check the base URL and the provider: models do not send answers of this size.',
    retryable: false,
  });

/** Finds where events end: at an empty line. */
class EventEnds {
  #lineBytes = 0;
  #afterReturn = false;

  /** The place after the first event that ends at or after `from`; 0 when none does. */
  next(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at];
      const isSecondHalf = byte === LF && this.#afterReturn;
      this.#afterReturn = byte === CR;
      if (isSecondHalf) continue;
      if (byte !== LF && byte !== CR) {
        this.#lineBytes += 1;
        continue;
      }
      const isEmpty = this.#lineBytes === 0;
      this.#lineBytes = 0;
      if (isEmpty) return at + 1;
    }
    return 0;
  }
}

/**
 * Passes on whole events only. The SDKs search all that they hold again with every chunk, which blocks the event loop when an
 * event comes in many of them.
 */
const wholeEvents = (maxEventBytes: number, provider: string): TransformStream<Uint8Array, Uint8Array> => {
  const ends = new EventEnds();
  const held = new ByteParts();
  let heldBytes = 0;
  const release = (controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (heldBytes > 0) controller.enqueue(Buffer.concat(held.take()));
    heldBytes = 0;
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      let begin = 0;
      let eventBytes = heldBytes;
      for (let end = ends.next(chunk, 0); end > 0; end = ends.next(chunk, begin)) {
        eventBytes += end - begin;
        if (eventBytes > maxEventBytes) break;
        begin = end;
        eventBytes = 0;
      }
      if (eventBytes + chunk.length - begin > maxEventBytes) {
        throw tooLarge(provider, `an event of its stream is larger than ${maxEventBytes} bytes.`);
      }
      if (begin > 0) {
        held.push(chunk.subarray(0, begin));
        heldBytes += begin;
        release(controller);
      }
      held.push(chunk.subarray(begin));
      heldBytes += chunk.length - begin;
    },
    flush: release,
  });
};

const counted = (maxBytes: number, provider: string): TransformStream<Uint8Array, Uint8Array> => {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(provider, `its answer is larger than ${maxBytes} bytes.`);
      controller.enqueue(chunk);
    },
  });
};

/** The same answer, which fails with MODEL_FAILED when it is larger than an answer may be. Counts what was decompressed. */
export const boundedAnswer = (
  answer: Response,
  { provider, isEventStream }: AnswerOrigin,
  { maxBytes = MAX_BYTES, maxEventBytes = MAX_EVENT_BYTES }: AnswerBounds = {},
): Response => {
  if (answer.body === null) return answer;
  const { status, statusText, headers } = answer;
  const isStream = isEventStream || headers.get('content-type')?.includes('text/event-stream') === true;
  const all = answer.body.pipeThrough(counted(maxBytes, provider));
  const body = isStream ? all.pipeThrough(wholeEvents(maxEventBytes, provider)) : all;
  return new Response(body, { status, statusText, headers: new Headers([...headers]) });
};
