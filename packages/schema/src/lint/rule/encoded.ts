import { excerpt, perText, type LintRule } from './lint-rule.js';

const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{40,}={0,2}(?![A-Za-z0-9+/_-])/gu;
const HEX = /(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}[\s:]?){24,}(?![0-9A-Za-z])/gu;
const ESCAPED = /(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|&#x?[0-9a-fA-F]+;){8,}/gu;

const WORDS = /\b[a-z]{2,}\b/giu;

/** Does it read like language: printable, and mostly words with spaces between them? */
const isProse = (text: string): boolean => {
  if (text.length < 16 || /[^\t\n\r\u0020-\u007E]/u.test(text)) return false;
  const words = text.match(WORDS) ?? [];
  return words.length >= 3 && words.join('').length > text.length * 0.5 && /\s/u.test(text);
};

const decodeBase64 = (blob: string): string => Buffer.from(blob, 'base64').toString('latin1');
const decodeHex = (blob: string): string => Buffer.from(blob.replaceAll(/[\s:]/gu, ''), 'hex').toString('latin1');

const decodeEscapes = (blob: string): string =>
  blob
    .replaceAll(/\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|%([0-9a-fA-F]{2})|&#x([0-9a-fA-F]+);/gu, (_all, ...codes) =>
      String.fromCodePoint(
        Math.min(Number.parseInt(codes.find((code) => typeof code === 'string') as string, 16), 0x10ffff),
      ),
    )
    .replaceAll(/&#(\d+);/gu, (_all, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)));

const DECODERS: readonly (readonly [RegExp, (blob: string) => string])[] = [
  [BASE64, decodeBase64],
  [HEX, decodeHex],
  [ESCAPED, decodeEscapes],
];

const findEncoded = (text: string): string | undefined => {
  for (const [pattern, decode] of DECODERS) {
    for (const [blob] of text.matchAll(pattern)) {
      const decoded = decode(blob);
      if (isProse(decoded)) return `it decodes to "${excerpt(decoded)}"`;
    }
  }
  return undefined;
};

export const encodedText: LintRule = {
  id: 'SEC-14',
  name: 'encoded-text',
  level: 'error',
  sentence: 'The text contains encoded text that people cannot read.',
  fix: 'Write it as plain text, or remove it.',
  inspect: perText(({ text }) => findEncoded(text)),
};
