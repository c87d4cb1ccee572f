import type { PieceEncoder } from './stream-piece.js';

/** `data` that is a string is written as it is, as in `data: [DONE]`. */
export const serverSentEvent: PieceEncoder = ({ event, data }) =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
