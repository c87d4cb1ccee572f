import { nearest } from '@plugboard/base';
import { PlugboardError, type ToolView } from '@plugboard/contract';
import { type Problem, validateArguments } from '@plugboard/schema';
import { someOf } from '../../terminal/count.js';
import { propertySchemas } from '../render/parameters.js';
import { ownCommand } from '../../terminal/shell-quote.js';
import { printableLine } from '../../terminal/printable.js';

/** `/filters/0/name` as `filters.0.name`. */
const argumentName = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');

const line = ({ pointer, message, keyword }: Problem): string => {
  // A missing argument is named by the message itself.
  const name = keyword === 'required' ? '' : argumentName(pointer);
  return `- ${name === '' ? '' : `${name}: `}${message}`;
};

type Taking = Pick<ToolView, 'upstream_name' | 'input_schema'>;

/** Refuses arguments that the tool's own schema refuses, naming each wrong one, before anything is sent. */
export const assertArguments = (server: string, tool: Taking, args: Readonly<Record<string, unknown>>): void => {
  const verdict = validateArguments(tool.input_schema, args);
  if (verdict.ok) return;
  const name = printableLine(tool.upstream_name);
  const lines = verdict.problems.map((problem) => printableLine(line(problem)));
  throw new PlugboardError('INVALID_ARGUMENT', [`These arguments do not fit ${name}:`, ...lines].join('\n'), {
    hint: `Show its arguments: plugboard tools ${ownCommand([server, tool.upstream_name])}. To send them anyway: --no-validate.`,
    details: { problems: verdict.problems },
  });
};

/** Names that the tool does not declare: allowed by many schemas, and most often a typing error. */
export const strangeArguments = (tool: Taking, args: Readonly<Record<string, unknown>>): string | undefined => {
  const declared = Object.keys(propertySchemas(tool.input_schema));
  const strange = Object.keys(args).filter((name) => !declared.includes(name));
  const [first] = strange;
  if (declared.length === 0 || first === undefined) return undefined;
  const near = nearest(first, declared);
  const known = `It has ${someOf(declared.map(printableLine), 12)}.`;
  return `${printableLine(tool.upstream_name)} declares no ${strange.map((name) => `"${printableLine(name)}"`).join(' and ')}. ${near === undefined ? known : `Did you mean "${printableLine(near)}"?`}`;
};
