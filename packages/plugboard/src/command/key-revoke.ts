import { EXIT, type ExitCode } from '@plugboard/contract';
import { keyClient } from '../hub-api/key-client.js';
import type { CommandContext } from './command-context.js';

export interface KeyRevokeInput {
  readonly id: string;
}

export const run = async ({ out, hub }: CommandContext, { id }: KeyRevokeInput): Promise<ExitCode> => {
  const revoked = await keyClient((await hub()).api).revoke(id);
  out.data(revoked);
  if (!out.quiet) out.text(`Revoked the key ${out.style.bold(revoked.name)}.`);
  return EXIT.ok;
};
