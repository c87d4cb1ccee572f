import type { LimitAsk, LimitGrant } from '@plugboard/contract';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** An HTTP request with the way to answer it. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a gateway must know of the processes beside it that serve the same clients. */
export interface FleetSide {
  /** Marks what only this process can continue: eight hexadecimal digits. */
  readonly mark: string;
  /** What this process may use of what is limited for all of them together: 1 / their number. */
  readonly share: () => number;
  /** Asks the store for tokens and places of limits that all of them share. */
  readonly lend: (asks: readonly LimitAsk[]) => Promise<readonly LimitGrant[]>;
  /** How long opening a session may wait until another process could continue it, in milliseconds. */
  readonly openWaitMs: number;
  /** Passes a request on whose body was read; false when the process with this mark is gone. */
  passOn(mark: string, exchange: HttpExchange, body: Buffer): Promise<boolean>;
}

const MARK = /^([\da-f]{8})~/u;
const WHOLE_MARK = /^[\da-f]{8}$/u;
const MARK_LENGTH = 8;
/** Longer handles name no process. */
const MAX_HANDLE = 8192;

/** Says whose it is; nothing where there is one process only. */
export const withMark = (mark: string | undefined, text: string): string =>
  mark === undefined ? text : `${mark}~${text}`;

export const markOf = (text: string): string | undefined => MARK.exec(text)?.[1];

export const withoutMark = (text: string): string => text.replace(MARK, '');

/** The process that the handle of a task names; whether the handle is genuine, that process finds out. */
export const markOfTask = (handle: string): string | undefined => {
  if (handle.length > MAX_HANDLE) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(handle.split('.', 1)[0] ?? '', 'base64url').toString('utf8'));
    const mark: unknown = Array.isArray(parts) ? parts[3] : undefined;
    return typeof mark === 'string' && WHOLE_MARK.test(mark) ? mark : undefined;
  } catch {
    return undefined;
  }
};

/** An id that says who gave it out. It looks like any other, and 90 bits of it cannot be guessed. */
export const markedId = (mark: string | undefined, id: string): string =>
  mark === undefined ? id : mark + id.slice(MARK_LENGTH);

/** The process that gave out an id, if there is more than one. */
export const markOfId = (id: string): string => id.slice(0, MARK_LENGTH);
