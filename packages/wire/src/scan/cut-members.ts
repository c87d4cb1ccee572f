import type { MemberSpan } from './result-members.js';
import { skipSpace } from './skip-json.js';
import type { Edit } from './span.js';

/** What has to be cut so that the object whose brace opens at `open` loses some of its members, with their commas. */
export const cutMembers = (
  bytes: Uint8Array,
  open: number,
  members: readonly MemberSpan[],
  isCut: (member: MemberSpan) => boolean,
): readonly Edit[] => {
  const cuts: Edit[] = [];
  let before = open + 1;
  let hasKept = false;
  for (const [index, member] of members.entries()) {
    if (!isCut(member)) {
      hasKept = true;
      before = member.end;
      continue;
    }
    // The comma before it goes with it, or the one after it while nothing stands before.
    const isLast = index === members.length - 1;
    const end = hasKept || isLast ? member.end : skipSpace(bytes, member.end) + 1;
    cuts.push({ start: before, end, text: '' });
    before = end;
  }
  return cuts;
};
