import { EXIT, type ExitCode } from '@plugboard/contract';
import { serviceClient } from '../../hub-api/client/health-service-client.js';
import { serviceWords } from './health-service-words.js';
import type { CommandContext } from '../command/command-context.js';

export interface ServiceAddInput {
  readonly name: string;
  readonly url: string;
  readonly every: number | undefined;
}

export const run = async ({ out, hub }: CommandContext, { name, url, every }: ServiceAddInput): Promise<ExitCode> => {
  const interval = every === undefined ? {} : { interval_seconds: every };
  const service = await serviceClient((await hub()).api).create({ name, url, ...interval });
  out.data(service);
  if (!out.quiet) out.text(`${out.style.bold(service.name)} is registered: ${serviceWords(service.status)}`);
  return EXIT.ok;
};
