/** About how long a JSON value is when it is written, in characters. Counting stops as soon as it is beyond `stopAt`. */
export const jsonSize = (value: unknown, stopAt = Number.POSITIVE_INFINITY): number => {
  const waiting: unknown[] = [value];
  let size = 0;
  while (waiting.length > 0 && size <= stopAt) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      size += next.length + 2;
    } else if (Array.isArray(next)) {
      size += next.length + 2;
      for (const item of next) waiting.push(item);
    } else if (typeof next === 'object' && next !== null) {
      size += 2;
      for (const [key, member] of Object.entries(next)) {
        size += key.length + 4;
        waiting.push(member);
      }
    } else {
      size += 4;
    }
  }
  return size;
};
