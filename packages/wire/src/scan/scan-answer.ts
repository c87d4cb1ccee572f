import { isUtf8 } from 'node:buffer';
import { MemberCursor } from './member-cursor.js';
import { skipPlainCompletion } from './plain-completion.js';
import { skipPlainContent } from './plain-content.js';
import { skipPlainContents } from './plain-contents.js';
import { skipPlainMessages } from './plain-messages.js';
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
  /** The same for what a resource holds, for the messages of a prompt, and for proposals; false for another form. */
  hasContents: boolean | undefined;
  hasMessages: boolean | undefined;
  hasCompletion: boolean | undefined;
  description: Span | undefined;
  ttlMs: Span | undefined;
  cacheScope: Span | undefined;
  resultType: Span | undefined;
  /** The result refers to a task. */
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

type Skip = (bytes: Uint8Array, from: number, depth: number) => number;
type Found = 'hasContents' | 'hasMessages' | 'hasCompletion';

/** Members that mean something in the result of one method, and nothing in all others. */
const OF_METHODS: readonly (readonly [name: string, found: Found, skip: Skip])[] = [
  ['contents', 'hasContents', skipPlainContents],
  ['messages', 'hasMessages', skipPlainMessages],
  ['completion', 'hasCompletion', skipPlainCompletion],
];

/** False for one that came before: readers of JSON do not agree which of two counts. */
const scanOfMethod = (
  bytes: Uint8Array,
  result: MemberCursor,
  spans: AnswerSpans,
  [, found, skip]: (typeof OF_METHODS)[number],
): boolean => {
  if (spans[found] !== undefined) return false;
  const after = skip(bytes, result.start, result.levels);
  spans[found] = after !== NOWHERE;
  if (after === NOWHERE) return result.take() !== NOWHERE;
  result.goOn(after);
  return true;
};

/** What has a form of its own to be accepted: undefined for any other member. */
const scanFormed = (bytes: Uint8Array, result: MemberCursor, spans: AnswerSpans): boolean | undefined => {
  if (result.isNamed('content')) {
    result.goOn(skipPlainContent(bytes, result.start, result.levels));
    spans.hasContent = true;
    return true;
  }
  const ofMethod = OF_METHODS.find(([name]) => result.isNamed(name));
  if (ofMethod !== undefined) return scanOfMethod(bytes, result, spans, ofMethod);
  if (!result.isNamed('_meta')) return undefined;
  const meta = result.enter();
  if (spans.meta !== undefined || !isPlainMeta(meta)) return false;
  result.leave(meta);
  spans.meta = { start: result.start, end: meta.after };
  return true;
};

/** Readers of JSON do not agree which of two members with one name counts. */
const ONCE = ['resultType', 'description', 'ttlMs', 'cacheScope'] as const;

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
    } else if (result.isNamed('task')) {
      spans.hasTask = true;
    } else {
      const once = ONCE.find((name) => result.isNamed(name));
      if (once === undefined) continue;
      if (spans[once] !== undefined) return false;
      spans[once] = { start, end };
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
 * Finds the parts of a result in the bytes of the answer. Undefined for whatever is not the plain form of one,
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
    hasContents: undefined,
    hasMessages: undefined,
    hasCompletion: undefined,
    description: undefined,
    ttlMs: undefined,
    cacheScope: undefined,
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
