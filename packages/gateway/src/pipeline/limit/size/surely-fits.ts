const MAX_VISITS = 1000;
/** What one character becomes in JSON at most. */
const BYTES_PER_CHARACTER = 6;
const BYTES_PER_NUMBER = 25;

/** Can a value be ruled out as too large without writing it? `false` means that one has to look. */
export const surelyFits = (value: unknown, maxBytes: number): boolean => {
  let [left, visits] = [maxBytes, MAX_VISITS];
  const visit = (node: unknown): boolean => {
    visits -= 1;
    if (visits < 0) return false;
    if (typeof node === 'string') left -= node.length * BYTES_PER_CHARACTER + 2;
    else if (typeof node === 'object' && node !== null) return visitMembers(node);
    else left -= BYTES_PER_NUMBER;
    return left >= 0;
  };
  const visitMembers = (holder: object): boolean => {
    // its brackets
    left -= 2;
    for (const [name, member] of Object.entries(holder)) {
      left -= name.length * BYTES_PER_CHARACTER + 4;
      if (!visit(member)) return false;
    }
    return left >= 0;
  };
  return visit(value);
};
