import { isUtf8 } from 'node:buffer';
import { MemberCursor } from './member-cursor.js';
import { NOWHERE, skipSpace } from './skip-json.js';
import type { Span } from './span.js';

/** Where things stand in the bytes of a JSON-RPC result. */
export interface AnswerSpans {
  id: Span | undefined;
  /** Whether there is a result, which must be an object. */
  hasResult: boolean;
  isError: Span | undefined;
  resultType: Span | undefined;
  /** The result speaks of a task. */
  hasTask: boolean;
}

const scanResult = (result: MemberCursor, spans: AnswerSpans): boolean => {
  while (result.next()) {
    const { start } = result;
    const end = result.take();
    if (end === NOWHERE) return false;
    if (result.isNamed('isError')) {
      if (spans.isError !== undefined) return false;
      spans.isError = { start, end };
    } else if (result.isNamed('resultType')) {
      if (spans.resultType !== undefined) return false;
      spans.resultType = { start, end };
    } else if (result.isNamed('task')) spans.hasTask = true;
  }
  return result.after !== NOWHERE;
};

const scanMember = (message: MemberCursor, spans: AnswerSpans): boolean => {
  if (message.isNamed('jsonrpc')) return message.take() !== NOWHERE;
  if (message.isNamed('id')) {
    const { start } = message;
    const end = message.take();
    if (spans.id !== undefined || end === NOWHERE) return false;
    spans.id = { start, end };
    return true;
  }
  if (!message.isNamed('result') || spans.hasResult) return false;
  const result = message.enter();
  if (!scanResult(result, spans)) return false;
  message.leave(result);
  spans.hasResult = true;
  return true;
};

/** Finds the parts of a JSON-RPC result in its bytes. Undefined for whatever is not the plain form of one. */
export const scanAnswer = (bytes: Uint8Array, depth: number): AnswerSpans | undefined => {
  const message = new MemberCursor(bytes, skipSpace(bytes, 0), depth);
  const spans: AnswerSpans = {
    id: undefined,
    hasResult: false,
    isError: undefined,
    resultType: undefined,
    hasTask: false,
  };
  let members = 0;
  while (message.next()) {
    members += 1;
    if (!scanMember(message, spans)) return undefined;
  }
  const whole = message.after !== NOWHERE && skipSpace(bytes, message.after) === bytes.length;
  return whole && members === 3 && spans.id !== undefined && spans.hasResult && isUtf8(bytes) ? spans : undefined;
};
