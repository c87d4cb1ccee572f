import { PlugboardError, type ToolView } from '@plugboard/contract';
import { shellQuote } from '../render/shell-quote.js';
import { printableLine } from '../terminal/printable.js';

/** `/filters/0/name` as `filters.0.name`. */
const argumentName = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

const line = (pointer: string, message: string): string => {
  const name = argumentName(pointer);
  return `- ${name === '' ? '' : `${name}: `}${message}`;
};

/** Refuses arguments that the tool's own schema refuses, naming each wrong one, before anything is sent. */
export const assertArguments = async (
  server: string,
  tool: ToolView,
  args: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const { validateArguments } = await import('@plugboard/schema');
  const verdict = validateArguments(tool.input_schema, args);
  if (verdict.ok) return;
  const name = printableLine(tool.upstream_name);
  const lines = verdict.problems.map(({ pointer, message }) => printableLine(line(pointer, message)));
  throw new PlugboardError('INVALID_ARGUMENT', [`These arguments do not fit ${name}:`, ...lines].join('\n'), {
    hint: `See what it takes: plugboard tools ${shellQuote([server, tool.upstream_name])}. To send them all the same: --no-validate.`,
    details: { problems: verdict.problems },
  });
};
