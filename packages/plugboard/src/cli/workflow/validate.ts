import { resolve } from 'node:path';
import { EXIT, type ExitCode } from '@plugboard/contract';
import type { CommandContext } from '../command/command-context.js';
import { printableLine } from '../../terminal/printable.js';
import { readWorkflow } from './workflow-source.js';

export const run = async ({ out, process }: CommandContext, { file }: { readonly file: string }): Promise<ExitCode> => {
  const { name, steps, teardown, servers } = await readWorkflow(resolve(process.cwd, file), { modules: false });
  out.data({ name, steps: steps.length, teardown: teardown.length, servers: Object.keys(servers) });
  const words = `✓ ${file}: "${name}", ${steps.length} steps, ${teardown.length} in the teardown, servers ${Object.keys(servers).join(', ')}.`;
  out.text(printableLine(words));
  return EXIT.ok;
};
