import { excerpt, perText, type LintRule } from './lint-rule.js';

const TAGS = /[\u{E0000}-\u{E007F}]+/gu;
// the flags of England, Scotland and Wales are spelled with tag characters
const FLAG = /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/gu;
const BIDI = /[\u202A-\u202E\u2066-\u2069]/u;
const EMOJI_JOIN = /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})/gu;
// scripts that need joiners to be written at all
const SCRIPT_JOIN =
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Khmer}\p{M}])[\u200C\u200D]/gu;
const ZERO_WIDTH = /[\u200B-\u200D\u2060-\u2064\uFEFF\u00AD\u180E\u115F\u1160\u3164\uFFA0\u2800]/gu;
const SELECTORS =
  /(?<![\p{Extended_Pictographic}\p{Emoji}\p{Script=Han}])[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/u;
const ESCAPES = /[\u001B\u009B]/u;
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001A\u001C-\u001F\u007F]/u;

const decodeTags = (text: string): string | undefined => {
  const tags = text.replaceAll(FLAG, '').match(TAGS);
  if (tags === null) return undefined;
  const hidden = Array.from(tags.join(''), (char) => String.fromCodePoint((char.codePointAt(0) ?? 0) - 0xe0000)).join(
    '',
  );
  return `tag characters that spell "${excerpt(hidden)}"`;
};

const countZeroWidth = (text: string): number =>
  text.replaceAll(EMOJI_JOIN, '').replaceAll(SCRIPT_JOIN, '').match(ZERO_WIDTH)?.length ?? 0;

const findHidden = (text: string): string | undefined => {
  const tags = decodeTags(text);
  if (tags !== undefined) return tags;
  if (BIDI.test(text)) return 'characters that turn the direction of writing';
  if (ESCAPES.test(text)) return 'terminal escape sequences';
  if (SELECTORS.test(text)) return 'variation selectors that select nothing';
  const count = countZeroWidth(text);
  if (count > 0) return `${count} invisible characters`;
  return CONTROLS.test(text) ? 'control characters' : undefined;
};

export const hiddenUnicode: LintRule = {
  id: 'SEC-14',
  name: 'hidden-unicode',
  level: 'error',
  sentence: 'The text contains characters that people cannot see but a model can read.',
  fix: 'Remove the invisible characters.',
  inspect: perText(({ text }) => findHidden(text)),
};

const COMMENT = /<!--([\s\S]{1,2000}?)-->/u;

export const hiddenMarkup: LintRule = {
  id: 'SEC-14',
  name: 'hidden-markup',
  level: 'warning',
  sentence: 'The text contains a comment that is hidden when it is rendered.',
  fix: 'Write it as visible text, or remove it.',
  inspect: perText(({ text }) => {
    const comment = COMMENT.exec(text)?.[1];
    // an example of markup is no message
    return comment === undefined || (comment.match(/\p{L}{2,}/gu) ?? []).length < 3
      ? undefined
      : `"${excerpt(comment)}"`;
  }),
};
