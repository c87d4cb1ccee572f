import { EXIT, type ExitCode } from '@plugboard/contract';
import { serviceClient } from '../../hub-api/client/health-service-client.js';
import type { CommandContext } from '../command/command-context.js';

export interface ServiceRemoveInput {
  readonly name: string;
}

export const run = async ({ out, hub }: CommandContext, { name }: ServiceRemoveInput): Promise<ExitCode> => {
  await serviceClient((await hub()).api).remove(name);
  out.data({ removed: name });
  if (!out.quiet) out.text(`${out.style.bold(name)} is no longer monitored.`);
  return EXIT.ok;
};
