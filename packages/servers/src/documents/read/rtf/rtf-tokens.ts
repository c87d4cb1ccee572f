/** What an RTF file is made of. */
export type RtfToken =
  | { readonly kind: 'open' | 'close' | 'ignorable' }
  | { readonly kind: 'word'; readonly name: string; readonly value: number | undefined }
  | { readonly kind: 'byte'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string };

const WORD = /\\([A-Za-z]{1,32})(-?\d{1,10})? ?/uy;
const HEX = /\\'([0-9A-Fa-f]{2})/uy;
const TEXT = /[^\\{}\r\n]+/uy;

const SYMBOLS: Readonly<Record<string, string>> = { '~': '\u00A0', _: '\u2011', '{': '{', '}': '}', '\\': '\\' };

const match = (pattern: RegExp, source: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(source);
};

/** Tokens one by one; `source` has one character per byte. Raw binary data is jumped over. */
export function* rtfTokens(source: string): Generator<RtfToken> {
  let at = 0;
  while (at < source.length) {
    const character = source[at];
    if (character === '{' || character === '}') {
      at += 1;
      yield { kind: character === '{' ? 'open' : 'close' };
    } else if (character === '\r' || character === '\n') {
      at += 1;
    } else if (character === '\\') {
      const hex = match(HEX, source, at);
      const word = hex === null ? match(WORD, source, at) : null;
      if (hex !== null) {
        at += hex[0].length;
        yield { kind: 'byte', value: Number.parseInt(hex[1] ?? '0', 16) };
      } else if (word === null) {
        const symbol = source[at + 1] ?? '';
        at += 2;
        if (symbol === '*') yield { kind: 'ignorable' };
        else if (symbol === '\n' || symbol === '\r') yield { kind: 'word', name: 'par', value: undefined };
        else if (SYMBOLS[symbol] !== undefined) yield { kind: 'text', text: SYMBOLS[symbol] ?? '' };
      } else {
        at += word[0].length;
        const value = word[2] === undefined ? undefined : Number(word[2]);
        if (word[1] === 'bin') at += Math.max(0, value ?? 0);
        else yield { kind: 'word', name: word[1] ?? '', value };
      }
    } else {
      const text = match(TEXT, source, at)?.[0] ?? source[at] ?? '';
      at += text.length;
      yield { kind: 'text', text };
    }
  }
}
