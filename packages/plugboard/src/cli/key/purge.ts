import { EXIT, type ExitCode } from '@plugboard/contract';
import { keyClient } from '../../hub-api/client/key-client.js';
import { count } from '../../terminal/count.js';
import type { CommandContext } from '../command/command-context.js';

export const run = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const done = await keyClient((await hub()).api).purge();
  out.data(done);
  if (out.quiet) return EXIT.ok;
  out.text(`Deleted ${count(done.deleted, 'key')} that were revoked or expired; ${done.left} left.`);
  if (done.left === 0) {
    out.note('MCP clients on this machine need no key now, unless access.required or PLUGBOARD_ADMIN_KEY is set.');
  }
  return EXIT.ok;
};
