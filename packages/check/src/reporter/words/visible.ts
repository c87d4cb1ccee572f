// Characters that nobody sees and that reorder or hide what stands beside them. The joiners that scripts and emoji need are left.
const HIDDEN =
  /[\u0080-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

const escape = (character: string): string =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`;

/** Text of a server as it is, not as it wants to look: a reader may paste it. */
export const visible = (text: string): string => text.replaceAll(HIDDEN, escape);
