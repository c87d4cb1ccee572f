import { isDeepStrictEqual } from 'node:util';
import { tryJson } from '@plugboard/base';
import { partText } from './part-text.js';
import type { ToolOutcome } from './tool-outcome.js';

/** Do the texts already say what the structured content says? Servers repeat it for older clients. */
const isRepeated = (texts: readonly string[], structured: unknown): boolean =>
  texts.some((text) => isDeepStrictEqual(tryJson(text), structured));

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

/** Everything in the outcome that is text, once. */
export const outcomeText = (outcome: ToolOutcome): string => textsOf(outcome).join('\n');
