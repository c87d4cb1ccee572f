import type { ErrorDescription } from '@plugboard/contract';
import { printableBlock } from './printable.js';
import type { Style } from './style.js';

const indent = (text: string): string => text.split('\n').join('\n         ');

const lastLines = (details: ErrorDescription['details']): readonly string[] => {
  const stderr = details?.['stderr'];
  const lines = Array.isArray(stderr) ? stderr.map(String) : typeof stderr === 'string' ? stderr.split('\n') : [];
  return lines.filter((line) => line.trim() !== '').slice(-8);
};

/** What happened, what the program said, what to do. */
export const explainError = (error: ErrorDescription, style: Style): string => {
  const said = lastLines(error.details);
  const parts = [
    `${style.red(style.bold('error'))}    ${indent(printableBlock(error.message))} ${style.dim(`(${error.code})`)}`,
    ...(said.length === 0 ? [] : [`${style.bold('it said')}  ${indent(printableBlock(said.join('\n')))}`]),
    ...(error.hint === undefined ? [] : [`${style.bold('try')}      ${indent(printableBlock(error.hint))}`]),
  ];
  return parts.join('\n');
};
