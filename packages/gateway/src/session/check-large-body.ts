import { checkJsonDepth, MAX_JSON_DEPTH, PlugboardError } from '@plugboard/contract';
import { hasMoreItems, isText, messageHead, type RequestId, type Span } from '@plugboard/wire';
import { batchTooLong, MAX_BATCH } from './read-messages.js';

/** Where a document that is nested beyond reason is looked for without the rest of it. */
const BEGINNING_BYTES = 64 * 1024;
/** More than what a client may say of itself, however it is written. */
const MAX_INITIALIZE_BYTES = 256 * 1024;
const MAX_ID_BYTES = 256;

/** An initialize request that is refused for its size alone. */
export class LargeIntroduction extends PlugboardError {
  override readonly name = 'LargeIntroduction';
  readonly requestId: RequestId | null;

  constructor(requestId: RequestId | null) {
    super('INVALID_ARGUMENT', `An initialize request may have at most ${MAX_INITIALIZE_BYTES / 1024} KiB.`, {
      hint: 'Send icons by URL, and leave out what servers do not need to know.',
    });
    this.requestId = requestId;
  }
}

const idAt = (bytes: Buffer, span: Span | undefined): RequestId | null => {
  if (span === undefined || span.end - span.start > MAX_ID_BYTES) return null;
  const id: unknown = JSON.parse(bytes.toString('utf8', span.start, span.end));
  return typeof id === 'string' || (typeof id === 'number' && Number.isInteger(id)) ? id : null;
};

/**
 * Refuses a large body that would be refused anyway once it was decoded and parsed, by the first bytes that say so. To
 * build thousands of messages, or a text of megabytes, takes milliseconds in which everybody else waits.
 */
export const checkLargeBody = (bytes: Buffer): void => {
  checkJsonDepth(bytes.toString('latin1', 0, BEGINNING_BYTES));
  if (hasMoreItems(bytes, MAX_BATCH, MAX_JSON_DEPTH)) throw batchTooLong();
  if (bytes.length <= MAX_INITIALIZE_BYTES) return;
  const { id, method } = messageHead(bytes, MAX_JSON_DEPTH);
  if (method !== undefined && isText(bytes, method, '"initialize"')) throw new LargeIntroduction(idAt(bytes, id));
};
