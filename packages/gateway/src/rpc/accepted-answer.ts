import type { AnswerSpans, Era } from '@plugboard/wire';

/** Results that may pass as they are; any other type means something to the hub. */
const COMPLETE = '"complete"';
const INPUT_REQUIRED = '"input_required"';

const OPEN_BRACE = 0x7b;
const TRUE = 0x74;
const TRUE_OR_FALSE: ReadonlySet<number | undefined> = new Set([TRUE, 0x66]);

/** Do official clients of the era take the result as it is? What they might not is repaired on the full path. */
const isAccepted = (message: Buffer, { hasContent, isError, structuredContent }: AnswerSpans, era: Era): boolean =>
  hasContent &&
  (isError === undefined || TRUE_OR_FALSE.has(message[isError.start])) &&
  (structuredContent === undefined || era === 'modern' || message[structuredContent.start] === OPEN_BRACE);

const isComplete = (message: Buffer, { resultType }: AnswerSpans): boolean =>
  resultType !== undefined && message.toString('latin1', resultType.start, resultType.end) === COMPLETE;

/** Can a result of a server of the era get the form of the other era by its envelope alone? */
export const mayCross = (message: Buffer, spans: AnswerSpans, era: Era): boolean => {
  if (spans.hasTask || !isAccepted(message, spans, 'legacy')) return false;
  if (era === 'modern') return isComplete(message, spans);
  // The words of a failure may mean that the client lacks a capability.
  return spans.resultType === undefined && (spans.isError === undefined || message[spans.isError.start] !== TRUE);
};

/** May a result be passed on to clients of the era as it came? */
export const mayPass = (message: Buffer, spans: AnswerSpans, era: Era): boolean => {
  const { resultType } = spans;
  if (spans.hasTask) return false;
  if (era === 'legacy') return resultType === undefined && isAccepted(message, spans, era);
  if (resultType === undefined) return false;
  const type = message.toString('latin1', resultType.start, resultType.end);
  return type === COMPLETE ? isAccepted(message, spans, era) : type === INPUT_REQUIRED;
};
