/** Numbers that come the same for the same seed (mulberry32). */
export const randomOf = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * below);
  };
};

const ODD = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\0',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '0',
  '-1',
  '99999999999999',
  '\u00e4',
];

/** A text with a few pieces of it doubled, left out, exchanged, or replaced by something odd. */
export const mutated = (text: string, random: (below: number) => number, odd: readonly string[] = ODD): string => {
  let result = text;
  for (let change = random(4); change >= 0; change -= 1) {
    const at = random(result.length + 1);
    const end = Math.min(result.length, at + random(12));
    const piece = result.slice(at, end);
    const inserted =
      [odd[random(odd.length)] ?? '', piece + piece, '', String.fromCharCode(random(256))][random(4)] ?? '';
    result = result.slice(0, at) + inserted + result.slice(random(2) === 0 ? at : end);
  }
  return result;
};

/** Does something again and again, with a number each time, until there were so many or the time is over. */
export const repeatedly = async (
  { times, ms }: { readonly times: number; readonly ms: number },
  turn: (index: number) => Promise<void> | void,
): Promise<number> => {
  const until = performance.now() + ms;
  let index = 0;
  // The first are always done, however slow the machine is.
  while (index < times && (index < 20 || performance.now() < until)) {
    await turn(index);
    index += 1;
  }
  return index;
};

export const SEED = Number(process.env['PROPERTY_SEED'] ?? 20_261_117);
