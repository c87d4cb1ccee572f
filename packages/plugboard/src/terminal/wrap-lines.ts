import { textWidth, wrapText } from './text-width.js';

/** Somebody copies it: a line break inside would break it. */
const isCommand = (line: string): boolean =>
  /^(?:plugboard|npx|npm|curl|echo|\w+:) /u.test(line) && !/ {3}/u.test(line);

const indentOf = (line: string): string => /^ */u.exec(line)?.[0] ?? '';

const wrapLine = (line: string, width: number): readonly string[] => {
  const indent = indentOf(line);
  if (textWidth(line) <= width || isCommand(line.trimStart())) return [line];
  const [first = '', ...rest] = wrapText(line.slice(indent.length), width - indent.length);
  return [`${indent}${first}`, ...rest.map((part) => `${indent}${part}`)];
};

/** Breaks lines that are wider than the terminal at words; what continues stands under its beginning. */
export const wrapLines = (text: string, width: number | undefined): string =>
  width === undefined
    ? text
    : text
        .split('\n')
        .flatMap((line) => wrapLine(line, width))
        .join('\n');

const isProse = (line: string | undefined): line is string =>
  line !== undefined && /^[^\s]/u.test(line) && !/: {2}/u.test(line);

/** The same for prose that is broken already: a paragraph with a line that is too wide is wrapped again. */
export const refill = (text: string, width: number | undefined): string => {
  if (width === undefined) return text;
  const lines: string[] = [];
  const rest = text.split('\n');
  while (rest.length > 0) {
    const paragraph: string[] = [];
    while (isProse(rest[0])) paragraph.push(rest.shift() ?? '');
    if (paragraph.some((line) => textWidth(line) > width)) lines.push(...wrapText(paragraph.join(' '), width));
    else lines.push(...paragraph);
    const other = rest.shift();
    if (other !== undefined) lines.push(other);
  }
  return lines.join('\n');
};
