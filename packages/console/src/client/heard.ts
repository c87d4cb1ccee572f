import { type Json, textIn } from '../api/json.js';

export interface Progress {
  readonly value: number;
  readonly total: number | undefined;
  readonly message: string;
}

/** Reads a notification of progress, of which anything may be missing. */
export const progressIn = (params: Json): Progress => ({
  value: Number(params['progress']) || 0,
  total: typeof params['total'] === 'number' && params['total'] > 0 ? params['total'] : undefined,
  message: textIn(params['message']),
});

/** What the server says of its progress, else how far it is. */
export const progressWords = ({ value, total, message }: Progress): string =>
  message !== '' || total === undefined ? message : `${value} of ${total}`;

/** A log message in a line. */
export const logLine = (params: Json): string =>
  `${textIn(params['level']) || 'info'}: ${textIn(params['data']) || (JSON.stringify(params['data']) ?? '')}`;
