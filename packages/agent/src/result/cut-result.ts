import { isDeepStrictEqual } from 'node:util';
import { tryJson } from '@plugboard/base';
import type { ToolResult } from '@plugboard/contract';
import type { ContentPart, ToolOutcome } from './tool-outcome.js';

const textLength = (part: ContentPart): number => (typeof part['text'] === 'string' ? part['text'].length : 0);

/** Half a character at the end would make the request invalid. */
const cutText = (text: string, length: number): string => {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
};

const cutParts = (parts: readonly ContentPart[], most: number): readonly ContentPart[] => {
  let room = most;
  return parts.flatMap((part) => {
    const length = textLength(part);
    if (length <= room) {
      room -= length;
      return [part];
    }
    const text = cutText(String(part['text']), room);
    room = 0;
    return text === '' ? [] : [{ ...part, text }];
  });
};

/** The result of a call with at most so many characters of text, and a note where something is missing. */
export const cutResult = (result: ToolResult, most: number): ToolOutcome => {
  const parts = result.content ?? [];
  const isError = result.isError === true;
  const structured = result.structuredContent;
  const repeated =
    structured === undefined ||
    parts.some((part) => typeof part['text'] === 'string' && isDeepStrictEqual(tryJson(part['text']), structured));
  const structuredText = repeated ? '' : JSON.stringify(structured);
  const total = parts.reduce((sum, part) => sum + textLength(part), structuredText.length);
  if (total <= most) {
    return { kind: 'result', content: parts, structuredContent: structured, isError, truncated: false };
  }
  const withStructured = structuredText === '' ? parts : [...parts, { type: 'text', text: structuredText }];
  const note = `[The result was truncated: ${most} of ${total} characters are shown.]`;
  return {
    kind: 'result',
    content: [...cutParts(withStructured, most), { type: 'text', text: note }],
    structuredContent: undefined,
    isError,
    truncated: true,
  };
};
