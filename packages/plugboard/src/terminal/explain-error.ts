import { type ErrorDescription, hintFor } from '@plugboard/contract';
import { printableBlock } from './printable.js';
import type { Style } from './style.js';
import { wrapText } from './text-width.js';

const MARGIN = 9;
const MAX_LINES = 8;

/** A frame of a stack, or the banner of the runtime. */
const STACK = /^\s*(?:at .+|Node\.js v\d.*|[{}^~]+)\s*$/u;

const label = (word: string): string => word.padEnd(MARGIN);

const indent = (text: string, width: number): string => wrapText(text, width - MARGIN).join(`\n${' '.repeat(MARGIN)}`);

/** What the program of a server wrote before it went down. */
export const lastWords = ({ details }: ErrorDescription): readonly string[] => {
  const tail = details?.['stderr_tail'];
  const lines = Array.isArray(tail) ? tail.map(String) : typeof tail === 'string' ? tail.split('\n') : [];
  const useful = lines.filter((line) => line.trim() !== '' && !STACK.test(line));
  // The error comes before its stack in Node and after it in Python: it is shown in either case.
  const why = details?.['error_line'];
  const at = typeof why === 'string' ? useful.findIndex((line) => line.trim() === why) : -1;
  const start = Math.max(0, useful.length - MAX_LINES);
  return useful.slice(at === -1 ? start : Math.min(at, start)).slice(0, MAX_LINES);
};

/** The hint, unless it only points at a member that is shown here anyway. */
const adviceOf = (error: ErrorDescription, said: readonly string[]): string | undefined =>
  said.length > 0 && error.hint?.startsWith('details.') === true
    ? 'Fix the error that it reports. `plugboard logs <server>` shows its whole output.'
    : hintFor(error, 'cli');

/** What happened, what the program said, what to do; broken at words where the terminal ends. */
export const explainError = (error: ErrorDescription, style: Style, width = Infinity): string => {
  const said = lastWords(error);
  const hint = adviceOf(error, said);
  const [first = '', ...rest] = printableBlock(error.message).split('\n');
  const message = [`${first} ${style.dim(`(${error.code})`)}`, ...rest].join('\n');
  return [
    `${style.red(style.bold(label('error')))}${indent(message, width)}`,
    ...(said.length === 0 ? [] : [`${style.bold(label('it said'))}${indent(printableBlock(said.join('\n')), width)}`]),
    ...(hint === undefined ? [] : [`${style.bold(label('try'))}${indent(printableBlock(hint), width)}`]),
  ].join('\n');
};
