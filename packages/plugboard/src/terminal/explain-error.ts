import type { ErrorDescription } from '@plugboard/contract';
import { printableBlock } from './printable.js';
import type { Style } from './style.js';
import { wrapText } from './text-width.js';

const MARGIN = 9;
const MAX_LINES = 8;

const label = (word: string): string => word.padEnd(MARGIN);

const indent = (text: string, width: number): string => wrapText(text, width - MARGIN).join(`\n${' '.repeat(MARGIN)}`);

/** What the program of a server wrote before it went down. */
export const lastWords = ({ details }: ErrorDescription): readonly string[] => {
  const tail = details?.['stderr_tail'];
  const lines = Array.isArray(tail) ? tail.map(String) : typeof tail === 'string' ? tail.split('\n') : [];
  return lines.filter((line) => line.trim() !== '').slice(-MAX_LINES);
};

/** The hint, unless it only points at a member that is shown here anyway. */
const hintFor = (error: ErrorDescription, said: readonly string[]): string | undefined =>
  said.length > 0 && error.hint?.startsWith('details.') === true
    ? 'Mend what it complains about, then try again.'
    : error.hint;

/** What happened, what the program said, what to do; broken at words where the terminal ends. */
export const explainError = (error: ErrorDescription, style: Style, width = Infinity): string => {
  const said = lastWords(error);
  const hint = hintFor(error, said);
  const [first = '', ...rest] = printableBlock(error.message).split('\n');
  const message = [`${first} ${style.dim(`(${error.code})`)}`, ...rest].join('\n');
  return [
    `${style.red(style.bold(label('error')))}${indent(message, width)}`,
    ...(said.length === 0 ? [] : [`${style.bold(label('it said'))}${indent(printableBlock(said.join('\n')), width)}`]),
    ...(hint === undefined ? [] : [`${style.bold(label('try'))}${indent(printableBlock(hint), width)}`]),
  ].join('\n');
};
