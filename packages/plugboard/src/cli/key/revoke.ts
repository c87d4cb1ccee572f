import { EXIT, PlugboardError, type ApiKey, type ExitCode } from '@plugboard/contract';
import { keyClient } from '../../hub-api/client/key-client.js';
import type { CommandContext } from '../command/command-context.js';

export interface KeyRevokeInput {
  /** An id, what the key begins with, or a name. */
  readonly key: string;
}

const ambiguous = (name: string, keys: readonly ApiKey[]): PlugboardError =>
  new PlugboardError('INVALID_ARGUMENT', `${keys.length} keys are called "${name}".`, {
    hint: `Give the first characters of the key: ${keys.map(({ prefix }) => prefix).join(', ')}.`,
  });

/** What a list shows of a key is enough to name it. A name counts among keys that still open something. */
const idOf = (keys: readonly ApiKey[], given: string): string => {
  const known = keys.find(({ id, prefix }) => id === given || prefix === given);
  if (known !== undefined) return known.id;
  const named = keys.filter(({ name, revoked_at: revokedAt }) => name === given && revokedAt === null);
  if (named.length > 1) throw ambiguous(given, named);
  return named[0]?.id ?? given;
};

export const run = async ({ out, hub }: CommandContext, { key }: KeyRevokeInput): Promise<ExitCode> => {
  const client = keyClient((await hub()).api);
  const revoked = await client.revoke(idOf(await client.list(), key));
  out.data(revoked);
  if (!out.quiet) out.text(`Revoked the key ${out.style.bold(revoked.name)}.`);
  return EXIT.ok;
};
