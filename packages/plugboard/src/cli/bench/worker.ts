import { serveLoadWorker } from '@plugboard/check';
import { EXIT, type ExitCode } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';

/** Orders come on the standard input, and results leave on the standard output. */
export const run = async ({ process }: CommandContext, _input: object): Promise<ExitCode> => {
  await serveLoadWorker({ input: process.stdin.stream, output: process.rawStdout, signal: process.signal });
  return EXIT.ok;
};
