import type { AnswerSpans, Era, PlainMethod, Span } from '@plugboard/wire';

/** Results that may pass as they are; any other type means something to the hub. */
const COMPLETE = '"complete"';
const INPUT_REQUIRED = '"input_required"';

/** The method of a request, and the era of who asked or answers. */
interface Asked {
  readonly method: PlainMethod;
  readonly era: Era;
}

const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const TRUE = 0x74;
const TRUE_OR_FALSE: ReadonlySet<number | undefined> = new Set([TRUE, 0x66]);

const SCOPES: ReadonlySet<string> = new Set(['"public"', '"private"']);

const textOf = (message: Buffer, { start, end }: Span): string => message.toString('latin1', start, end);

/** Everybody reads it as the same number. */
const isDuration = (text: string): boolean => /^\d{1,15}$/u.test(text);

/** Modern clients expect to be told how long they may keep what they read. */
const hasCacheHint = (message: Buffer, { ttlMs, cacheScope }: AnswerSpans): boolean =>
  ttlMs !== undefined &&
  cacheScope !== undefined &&
  isDuration(textOf(message, ttlMs)) &&
  SCOPES.has(textOf(message, cacheScope));

const isToolResult = (message: Buffer, { hasContent, isError, structuredContent }: AnswerSpans, era: Era): boolean =>
  hasContent &&
  (isError === undefined || TRUE_OR_FALSE.has(message[isError.start])) &&
  (structuredContent === undefined || era === 'modern' || message[structuredContent.start] === OPEN_BRACE);

/** Do official clients of the era take the result as it is? What they might not is repaired on the full path. */
const isAccepted = (message: Buffer, spans: AnswerSpans, { method, era }: Asked): boolean => {
  switch (method) {
    case 'tools/call':
      return isToolResult(message, spans, era);
    case 'resources/read':
      return spans.hasContents === true;
    case 'prompts/get':
      return (
        spans.hasMessages === true && (spans.description === undefined || message[spans.description.start] === QUOTE)
      );
    case 'completion/complete':
      return spans.hasCompletion === true;
  }
  return method satisfies never;
};

const isComplete = (message: Buffer, { resultType }: AnswerSpans): boolean =>
  resultType !== undefined && textOf(message, resultType) === COMPLETE;

/** Can a result of a server of the era get the form of the other era by its envelope alone? */
export const mayCross = (message: Buffer, spans: AnswerSpans, { method, era }: Asked): boolean => {
  if (spans.hasTask || !isAccepted(message, spans, { method, era: 'legacy' })) return false;
  if (era === 'modern') return isComplete(message, spans);
  // The words of a failure may mean that the client lacks a capability.
  return spans.resultType === undefined && (spans.isError === undefined || message[spans.isError.start] !== TRUE);
};

/** May a result be passed on to clients of the era as it came? */
export const mayPass = (message: Buffer, spans: AnswerSpans, asked: Asked): boolean => {
  const { resultType } = spans;
  if (spans.hasTask) return false;
  if (asked.era === 'legacy') return resultType === undefined && isAccepted(message, spans, asked);
  if (resultType === undefined) return false;
  const type = textOf(message, resultType);
  if (type !== COMPLETE) return type === INPUT_REQUIRED;
  return isAccepted(message, spans, asked) && (asked.method !== 'resources/read' || hasCacheHint(message, spans));
};
