import { visible } from '../words/visible.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that no browser takes for markup; control and hidden characters become visible ones. */
export const html = (text: string): string =>
  visible(text)
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu, (character) =>
      String.fromCodePoint(character === '\u007F' ? 0x24_21 : 0x24_00 + (character.codePointAt(0) ?? 0)),
    )
    .replaceAll(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);

/** An address that may stand in a link; anything but the web becomes nothing. */
export const webLink = (url: string): string => (/^https?:\/\//u.test(url) ? html(url) : '');
