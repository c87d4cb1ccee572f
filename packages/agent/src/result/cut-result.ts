import type { ToolResult } from '@plugboard/contract';
import { textsOf } from './outcome-text.js';
import { partText } from './part-text.js';
import type { ContentPart, ToolOutcome } from './tool-outcome.js';

/** Half a character at the end would make the request invalid. */
const cutText = (text: string, length: number): string => {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
};

/** Parts whose texts, a line break between two, have at most so many characters. */
const cutParts = (parts: readonly ContentPart[], most: number): readonly ContentPart[] => {
  let room = most;
  let lineBreak = 0;
  return parts.flatMap((part) => {
    const text = partText(part);
    if (text === undefined) return [part];
    room -= lineBreak;
    if (text.length <= room) {
      room -= text.length;
      lineBreak = 1;
      return [part];
    }
    const cut = cutText(text, Math.max(0, room));
    room = -1;
    // What is left of an embedded resource is no resource.
    return cut === '' ? [] : [{ type: 'text', text: cut }];
  });
};

/** The result of a call with at most so many characters of text, and a note where something is missing. */
export const cutResult = (result: ToolResult, most: number): ToolOutcome => {
  const content = result.content ?? [];
  const isError = result.isError === true;
  const { structuredContent } = result;
  const texts = textsOf({ content, structuredContent });
  const total = texts.reduce((sum, text) => sum + text.length, Math.max(0, texts.length - 1));
  if (total <= most) return { kind: 'result', content, structuredContent, isError, truncated: false };
  const isAdded = texts.length > content.filter((part) => partText(part) !== undefined).length;
  const added = isAdded ? [{ type: 'text', text: texts.at(-1) }] : [];
  const note = `[The result was truncated: ${most} of ${total} characters are shown.]`;
  return {
    kind: 'result',
    content: [...cutParts([...content, ...added], most), { type: 'text', text: note }],
    structuredContent: undefined,
    isError,
    truncated: true,
  };
};
