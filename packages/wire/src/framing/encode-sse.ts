import type { SseEvent } from './sse-event.js';

export interface SseFields extends SseEvent {
  readonly retry?: number | undefined;
}

const LINE_BREAK = /\r\n|\n|\r/u;
const withoutBreaks = (value: string): string => value.replaceAll(/[\r\n\u0000]/gu, '');

/** Nearly all data is one line, which is found much faster than it is split. */
const linesOf = (data: string): string =>
  data.includes('\n') || data.includes('\r') ? data.split(LINE_BREAK).join('\ndata: ') : data;

/** An event as text. Data may have several lines; a line break in any other field would start a new field, so it is dropped. */
export const encodeSse = ({ event, id, retry, data }: SseFields): string => {
  let text = '';
  if (event !== undefined) text += `event: ${withoutBreaks(event)}\n`;
  if (id !== undefined) text += `id: ${withoutBreaks(id)}\n`;
  if (retry !== undefined) text += `retry: ${Math.max(0, Math.trunc(retry))}\n`;
  return `${text}data: ${linesOf(data)}\n\n`;
};

/** A comment: keeps the connection alive and says nothing. */
export const encodeSseComment = (text = ''): string => `: ${withoutBreaks(text)}\n\n`;
