import { invalidArgument } from '../command/invalid-argument.js';
import type { ProcessContext } from '../../process/process-context.js';
import { askSecret } from '../../terminal/ask-secret.js';
import { readStdin } from './read-stdin.js';

export interface SecretSource {
  /** What it is the value of, for people. */
  readonly of: string;
  /** The variable of this program's environment that holds it. */
  readonly fromEnv: string | undefined;
}

const fromEnvironment = (env: ProcessContext['env'], name: string): string => {
  const value = env[name];
  if (value !== undefined && value !== '') return value;
  throw invalidArgument(`The environment has no value for ${name}.`, `Set it for this command: ${name}=… plugboard …`);
};

/** A secret that never stands on the command line: from the environment, from a pipe, or typed unseen. */
export const secretValue = async ({ of, fromEnv }: SecretSource, process: ProcessContext): Promise<string> => {
  if (fromEnv !== undefined) return fromEnvironment(process.env, fromEnv);
  const value = process.stdin.isTTY
    ? await askSecret(`Value of ${of}: `, process)
    : (await readStdin(process.stdin, process.signal)).replace(/\r?\n$/u, '');
  if (value !== '') return value;
  throw invalidArgument(`No value was given for ${of}.`, 'Pipe it in, or name a variable with --from-env.');
};
