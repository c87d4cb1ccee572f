import { visible } from './words/visible.js';

// What XML 1.0 has no place for: most control characters, halves of surrogate pairs, and two that are never characters.
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Text as XML 1.0 can carry it; what it cannot becomes a replacement character, and nothing is hidden. */
export const xmlText = (text: string): string =>
  visible(text)
    .replaceAll(FORBIDDEN, '\u{FFFD}')
    .replaceAll(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);

/** As text, and with line breaks that survive in an attribute. */
export const xmlAttribute = (text: string): string =>
  xmlText(text).replaceAll('\n', '&#10;').replaceAll('\r', '&#13;').replaceAll('\t', '&#9;');

export type Attributes = Readonly<Record<string, string | number>>;

export const element = (name: string, attributes: Attributes, content = ''): string => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlAttribute(String(value))}"`);
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
};
