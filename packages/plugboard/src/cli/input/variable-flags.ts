import { variableName } from '@plugboard/contract';
import { invalidArgument } from '../command/invalid-argument.js';
import type { ProcessContext } from '../../process/process-context.js';
import { secretValue } from './secret-value.js';

export const assertVariableName = (name: string): void => {
  if (variableName.safeParse(name).success) return;
  throw invalidArgument(
    `"${name}" cannot be the name of a variable.`,
    'Use capital letters, digits and underscores: API_KEY.',
  );
};

/** `NAME=value`; `NAME` alone takes the value from the environment, and `NAME=-` from standard input. */
const readVariable = async (text: string, process: ProcessContext): Promise<readonly [string, string]> => {
  const at = text.indexOf('=');
  const name = at === -1 ? text : text.slice(0, at);
  assertVariableName(name);
  const given = at === -1 ? undefined : text.slice(at + 1);
  if (given !== undefined && given !== '-') return [name, given];
  return [name, await secretValue({ of: name, fromEnv: given === undefined ? name : undefined }, process)];
};

export const readVariables = async (
  texts: readonly string[],
  process: ProcessContext,
): Promise<Readonly<Record<string, string>>> => {
  if (texts.filter((text) => text.endsWith('=-')).length > 1) {
    throw invalidArgument('Only one variable can be read from standard input.', 'Give the others as --var NAME.');
  }
  const read: (readonly [string, string])[] = [];
  for (const text of texts) read.push(await readVariable(text, process));
  return Object.fromEntries(read);
};
