import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, tryJson } from '@plugboard/base';
import { wellFormed } from '../conversation/well-formed.js';
import { partText } from './part-text.js';
import type { ToolOutcome } from './tool-outcome.js';

/** Some frameworks wrap what is no object in an object with one member, such as `{result: …}`. */
const unwrapped = (structured: unknown): readonly unknown[] => {
  const members = isJsonObject(structured) ? Object.values(structured) : [];
  return members.length === 1 ? members : [];
};

/** Do the texts already say what the structured content says? Servers repeat it for older clients. */
const isRepeated = (texts: readonly string[], structured: unknown): boolean =>
  texts.length > 0 &&
  [structured, ...unwrapped(structured)].some(
    (value) =>
      value === texts.join('\n') ||
      isDeepStrictEqual(texts, value) ||
      texts.some((text) => isDeepStrictEqual(tryJson(text), value)),
  );

/** Everything that is text, once. */
export const textsOf = ({
  content,
  structuredContent,
}: Pick<ToolOutcome, 'content' | 'structuredContent'>): readonly string[] => {
  const texts = content.flatMap((part) => partText(part) ?? []);
  return structuredContent === undefined || isRepeated(texts, structuredContent)
    ? texts
    : [...texts, JSON.stringify(structuredContent)];
};

/** Everything in the outcome that is text, once, and without halves of characters. */
export const outcomeText = (outcome: ToolOutcome): string => wellFormed(textsOf(outcome).join('\n'));
