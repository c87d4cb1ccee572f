const ESCAPE_SEQUENCE = /\u001B\[[0-9;]*m/gu;
const ZERO_WIDTH = /\p{Mark}|[\u200B-\u200D]/u;
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

const widthOf = (character: string): number => {
  if (ZERO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
};

/** How many columns a terminal gives to a text. */
export const textWidth = (text: string): number => {
  let width = 0;
  for (const character of text.replaceAll(ESCAPE_SEQUENCE, '')) width += widthOf(character);
  return width;
};

/** The text, cut to `width` columns with an ellipsis when it is longer. For text without escape sequences. */
export const fitWidth = (text: string, width: number): string => {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
};

/** Breaks a text at spaces into lines of at most `width` columns; a longer word gets a line of its own. */
export const wrapText = (text: string, width: number): readonly string[] => {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line !== '' && textWidth(longer) > width) {
        lines.push(line);
        line = word;
      } else {
        line = longer;
      }
    }
    lines.push(line);
  }
  return lines;
};
