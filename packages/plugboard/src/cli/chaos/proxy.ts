import { untilAborted } from '@plugboard/base';
import { childEnvironment } from '@plugboard/client';
import { EXIT, PlugboardError, type ExitCode } from '@plugboard/contract';
import {
  FaultBoard,
  faultProxy,
  faultyProgram,
  openControlledBoard,
  type Strike,
} from '@plugboard/testing/fault-proxy';
import type { AddressFlags } from '../server-flags/address-options.js';
import { readDirectTarget } from '../check/check-target.js';
import type { CommandContext } from '../command/command-context.js';
import { parseFault } from './fault-flag.js';

export interface ChaosProxyInput {
  readonly address: AddressFlags;
  readonly fault: readonly string[];
  readonly seed?: number | undefined;
  readonly listen?: number | undefined;
  readonly control?: string | undefined;
}

const SIGNAL_EXIT = 1;

const strikeWords = ({ message, kind, phase }: Strike): string =>
  message === 0 ? kind : `${kind} struck message ${message} (${phase})`;

/** Shaping strikes with every chunk: once is enough to know. */
const teller = (out: CommandContext['out']): ((strike: Strike) => void) => {
  const shaping = new Set<string>();
  return (strike) => {
    if (strike.message === 0 && shaping.has(strike.kind)) return;
    if (strike.message === 0) shaping.add(strike.kind);
    out.note(strikeWords(strike));
  };
};

const runProgram = async (
  { process }: CommandContext,
  board: FaultBoard,
  program: {
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
    readonly cwd?: string | undefined;
  },
): Promise<ExitCode> => {
  const [command = '', ...args] = program.command;
  const env = { ...childEnvironment({ inherited: process.env }), ...program.env };
  const child = faultyProgram({ command, args, env, cwd: program.cwd ?? process.cwd }, board);
  process.stdin.stream.pipe(child.stdin);
  child.stdout.pipe(process.rawStdout, { end: false });
  child.stderr.pipe(process.rawStderr, { end: false });
  const stop = (): void => child.kill('SIGTERM');
  process.signal.addEventListener('abort', stop, { once: true });
  try {
    const { code, error } = await child.exited;
    if (error !== undefined) throw new PlugboardError('INVALID_ARGUMENT', `The program cannot be started: ${error}.`);
    return code === 0 ? EXIT.ok : SIGNAL_EXIT;
  } finally {
    process.signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    process.stdin.stream.destroy();
  }
};

export const run = async (context: CommandContext, input: ChaosProxyInput): Promise<ExitCode> => {
  const { out, process } = context;
  const faults = input.fault.map(parseFault);
  const target = await readDirectTarget(context, input.address);
  const controlled = input.control === undefined ? undefined : await openControlledBoard(input.control);
  const seed = input.seed ?? 1;
  const board = controlled?.board ?? new FaultBoard({ faults, seed, remembers: false, onStrike: teller(out) });
  try {
    if (target.command !== undefined) return await runProgram(context, board, { ...target, command: target.command });
    const proxy = await faultProxy(target.url ?? '', {
      board,
      ...(input.listen === undefined ? {} : { port: input.listen }),
    });
    out.data({ url: proxy.url, faults, seed });
    out.text(`The fault proxy listens at ${proxy.url} in front of ${target.url}. Stop it with Ctrl-C.`);
    await untilAborted(process.signal);
    await proxy.close();
    return EXIT.ok;
  } finally {
    controlled?.close();
  }
};
