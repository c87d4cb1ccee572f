import { isDeepStrictEqual } from 'node:util';
import { tryJson } from '@plugboard/base';
import type { ContentPart, ToolOutcome } from './tool-outcome.js';

const textOf = (part: ContentPart): string | undefined => {
  if (part.type === 'text') return typeof part['text'] === 'string' ? part['text'] : '';
  if (part.type === 'image' || part.type === 'audio') return undefined;
  return JSON.stringify(part);
};

/** Do the texts already say what the structured content says? Servers repeat it for older clients. */
const isRepeated = (texts: readonly string[], structured: unknown): boolean =>
  texts.some((text) => isDeepStrictEqual(tryJson(text), structured));

/** Everything in the outcome that is text, once. */
export const outcomeText = ({ content, structuredContent }: ToolOutcome): string => {
  const texts = content.flatMap((part) => textOf(part) ?? []);
  const all =
    structuredContent === undefined || isRepeated(texts, structuredContent)
      ? texts
      : [...texts, JSON.stringify(structuredContent)];
  return all.join('\n');
};
