import { isUtf8 } from 'node:buffer';
import { MemberCursor } from './member-cursor.js';
import { skipPlainContent } from './plain-content.js';
import { NOWHERE, skipSpace } from './skip-json.js';
import type { Span } from './span.js';

/** Where things stand in the bytes of a JSON-RPC result. */
export interface AnswerSpans {
  id: Span | undefined;
  /** An object. */
  result: Span | undefined;
  /** The metadata of the result: an object in which clients look at nothing. */
  meta: Span | undefined;
  isError: Span | undefined;
  structuredContent: Span | undefined;
  /** There is content, and every client accepts it as it is. */
  hasContent: boolean;
  resultType: Span | undefined;
  /** The result speaks of a task. */
  hasTask: boolean;
}

/** Members of `_meta` whose form clients look at. */
const LOOKED_AT = ['progressToken', 'io.modelcontextprotocol/related-task'] as const;

const isPlainMeta = (meta: MemberCursor): boolean => {
  while (meta.next()) {
    if (meta.take() === NOWHERE || LOOKED_AT.some((name) => meta.isNamed(name))) return false;
  }
  return meta.after !== NOWHERE;
};

/** What has a form of its own to be accepted: undefined for any other member. */
const scanFormed = (bytes: Uint8Array, result: MemberCursor, spans: AnswerSpans): boolean | undefined => {
  if (result.isNamed('content')) {
    result.goOn(skipPlainContent(bytes, result.start, result.levels));
    spans.hasContent = true;
    return true;
  }
  if (!result.isNamed('_meta')) return undefined;
  const meta = result.enter();
  if (spans.meta !== undefined || !isPlainMeta(meta)) return false;
  result.leave(meta);
  spans.meta = { start: result.start, end: meta.after };
  return true;
};

const scanResult = (bytes: Uint8Array, result: MemberCursor, spans: AnswerSpans): boolean => {
  while (result.next()) {
    const formed = scanFormed(bytes, result, spans);
    if (formed === false) return false;
    if (formed === true) continue;
    const { start } = result;
    const end = result.take();
    if (end === NOWHERE) return false;
    if (result.isNamed('isError')) {
      if (spans.isError !== undefined) return false;
      spans.isError = { start, end };
    } else if (result.isNamed('structuredContent')) {
      spans.structuredContent = { start, end };
    } else if (result.isNamed('resultType')) {
      if (spans.resultType !== undefined) return false;
      spans.resultType = { start, end };
    } else if (result.isNamed('task')) {
      spans.hasTask = true;
    }
  }
  return result.after !== NOWHERE;
};

const scanMember = (bytes: Uint8Array, message: MemberCursor, spans: AnswerSpans): boolean => {
  if (message.isNamed('jsonrpc')) return message.take() !== NOWHERE;
  if (message.isNamed('id')) {
    const { start } = message;
    const end = message.take();
    if (spans.id !== undefined || end === NOWHERE) return false;
    spans.id = { start, end };
    return true;
  }
  if (!message.isNamed('result') || spans.result !== undefined) return false;
  const result = message.enter();
  if (!scanResult(bytes, result, spans)) return false;
  message.leave(result);
  spans.result = { start: message.start, end: result.after };
  return true;
};

/**
 * Finds the parts of the result of a tool in the bytes of the answer. Undefined for whatever is not the plain form of one,
 * also for content that some client might refuse.
 */
export const scanAnswer = (bytes: Uint8Array, depth: number): AnswerSpans | undefined => {
  const message = new MemberCursor(bytes, skipSpace(bytes, 0), depth);
  const spans: AnswerSpans = {
    id: undefined,
    result: undefined,
    meta: undefined,
    isError: undefined,
    structuredContent: undefined,
    hasContent: false,
    resultType: undefined,
    hasTask: false,
  };
  let members = 0;
  while (message.next()) {
    members += 1;
    if (!scanMember(bytes, message, spans)) return undefined;
  }
  const whole = message.after !== NOWHERE && skipSpace(bytes, message.after) === bytes.length;
  return whole && members === 3 && spans.id !== undefined && spans.result !== undefined && isUtf8(bytes)
    ? spans
    : undefined;
};
