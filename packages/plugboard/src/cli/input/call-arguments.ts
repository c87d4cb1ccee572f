import { PlugboardError } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';
import { arrives, readStdin } from './read-stdin.js';
import { typedArguments } from './typed-argument.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface ArgumentFlags {
  readonly arg: readonly string[];
  /** JSON, or `-` for standard input. */
  readonly jsonArgs?: string | undefined;
}

type Arguments = Readonly<Record<string, unknown>>;

const STDIN_GRACE_MS = 1000;

const parseObject = (text: string, origin: string): Arguments => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PlugboardError('INVALID_JSON', `The arguments ${origin} are not JSON.`, {
      hint: `Give one JSON object, quoted for the shell: --json-args '{"path": "."}'`,
      cause,
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Arguments;
  throw invalidArgument(`The arguments ${origin} are not a JSON object.`, 'Arguments have names: {"name": value}.');
};

const fromStdin = async ({ process, out }: CommandContext, mustCome: boolean): Promise<Arguments> => {
  // A parent program may leave a pipe open indefinitely and never write to it.
  if (!mustCome && !(await arrives(process.stdin, STDIN_GRACE_MS))) {
    out.note('Standard input is empty, so the tool is called without arguments (--json-args - waits for them).');
    return {};
  }
  const text = (await readStdin(process.stdin, process.signal)).trim();
  if (text === '' && !mustCome) return {};
  return parseObject(text, 'on standard input');
};

/** Arguments from --json-args, standard input and --arg; the last of these wins. */
export const collectArguments = async (
  context: CommandContext,
  { arg, jsonArgs }: ArgumentFlags,
  inputSchema: unknown,
): Promise<Arguments> => {
  const given = typedArguments(arg, inputSchema);
  if (jsonArgs === '-') return { ...(await fromStdin(context, true)), ...given };
  if (jsonArgs !== undefined) return { ...parseObject(jsonArgs, 'of --json-args'), ...given };
  if (arg.length === 0 && context.process.stdin.isRedirected) return fromStdin(context, false);
  return given;
};
