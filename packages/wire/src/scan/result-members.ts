import { MemberCursor } from './member-cursor.js';
import { NOWHERE, skipSpace } from './skip-json.js';
import type { Span } from './span.js';

/** A member of an object, with where its value stands. */
export interface MemberSpan extends Span {
  readonly name: string;
}

const membersIn = (result: MemberCursor): readonly MemberSpan[] | undefined => {
  const members: MemberSpan[] = [];
  while (result.next()) {
    const { start, name } = result;
    members.push({ name, start, end: result.take() });
  }
  return result.after === NOWHERE ? undefined : members;
};

/** The members of the object that begins there; undefined when there is none with at most so many levels. */
export const objectMembers = (bytes: Uint8Array, at: number, depth: number): readonly MemberSpan[] | undefined =>
  membersIn(new MemberCursor(bytes, at, depth));

/** The members of the result in the bytes of an answer that was scanned before. */
export const resultMembers = (bytes: Uint8Array, depth: number): readonly MemberSpan[] | undefined => {
  const message = new MemberCursor(bytes, skipSpace(bytes, 0), depth);
  while (message.next()) {
    if (message.isNamed('result')) return membersIn(message.enter());
    message.take();
  }
  return undefined;
};
