import { EXIT, type ExitCode } from '@plugboard/contract';
import { keyClient } from '../../hub-api/client/key-client.js';
import type { CommandContext } from '../command/command-context.js';

export const run = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const done = await keyClient((await hub()).api).rotateMaster();
  out.data(done);
  if (!out.quiet) out.text(`Encrypted ${done.resealed} secrets with a new master key.`);
  if (done.unreadable === 0) return EXIT.ok;
  out.problem(`${done.unreadable} secrets could not be decrypted with any known key and were not changed.`);
  return EXIT.failed;
};
