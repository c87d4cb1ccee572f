import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '@plugboard/contract';
import { draftTargetFile } from '@plugboard/check';
import { childEnvironment } from '@plugboard/client';
import { readDirectTarget } from './check-target.js';
import type { AddressFlags } from '../server-flags/address-options.js';
import type { CommandContext } from '../command/command-context.js';
import { invalidArgument } from '../command/invalid-argument.js';

export interface CheckInitInput extends AddressFlags {
  readonly output?: string | undefined;
  readonly force: boolean;
}

export const run = async (context: CommandContext, input: CheckInitInput): Promise<ExitCode> => {
  const { out, process, waiting } = context;
  const target = await readDirectTarget(context, input);
  const text = await waiting('Reading its tools', () =>
    draftTargetFile(target, { signal: process.signal, baseEnv: childEnvironment({ inherited: process.env }) }),
  );
  if (input.output === undefined) {
    out.data({ target: text });
    out.text(text);
    return EXIT.ok;
  }
  try {
    await writeFile(resolve(process.cwd, input.output), text, { flag: input.force ? 'w' : 'wx' });
  } catch {
    throw invalidArgument(
      `${input.output} cannot be written, or already exists.`,
      'Choose another name, or give --force.',
    );
  }
  out.data({ file: input.output });
  out.text(`Wrote ${input.output}. Check with: plugboard check ${input.output}`);
  return EXIT.ok;
};
