import { PlugboardError } from '@plugboard/contract';

const sentence = (text: string): string => {
  const trimmed = text.replace(/^error:\s*/u, '').trim();
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?]$/u.test(capital) ? capital : `${capital}.`;
};

const DASHES_HINT = 'Put the options of a program after two dashes: plugboard add files -- npx -y some-server';

/** What the parser says of the line that calls `command`, with its suggestion as the hint. */
export const usageMessage = (message: string, command = 'plugboard'): PlugboardError => {
  const [first = '', ...rest] = message.split('\n');
  const suggestion = rest
    .map((line) => /^\(Did you mean (?<names>.+)\?\)$/u.exec(line.trim())?.groups?.['names'])
    .find(Boolean);
  const unknownShort = /unknown option '-[a-zA-Z]'/u.test(first);
  const hints = [
    ...(suggestion === undefined ? [] : [`Did you mean ${suggestion}?`]),
    ...(unknownShort ? [DASHES_HINT] : []),
    ...(suggestion === undefined && !unknownShort ? [`\`${command} --help\` lists its options and arguments.`] : []),
  ];
  return new PlugboardError('INVALID_ARGUMENT', sentence(first), { hint: hints.join(' ') });
};
