import type { SseEvent } from './sse-event.js';

export interface SseFields extends SseEvent {
  readonly retry?: number | undefined;
}

const LINE_BREAK = /\r\n|\n|\r/u;
const withoutBreaks = (value: string): string => value.replaceAll(/[\r\n\u0000]/gu, '');

/** An event as text. Data may have several lines; a line break in any other field would start a new field, so it is dropped. */
export const encodeSse = (fields: SseFields): string => {
  const lines: string[] = [];
  if (fields.event !== undefined) lines.push(`event: ${withoutBreaks(fields.event)}`);
  if (fields.id !== undefined) lines.push(`id: ${withoutBreaks(fields.id)}`);
  if (fields.retry !== undefined) lines.push(`retry: ${Math.max(0, Math.trunc(fields.retry))}`);
  for (const line of fields.data.split(LINE_BREAK)) {
    lines.push(`data: ${line}`);
  }
  return `${lines.join('\n')}\n\n`;
};

/** A comment: keeps the connection alive and says nothing. */
export const encodeSseComment = (text = ''): string => `: ${withoutBreaks(text)}\n\n`;
