import { EXIT, type ApiKey, type ExitCode } from '@plugboard/contract';
import { keyClient } from '../../hub-api/client/key-client.js';
import type { Style } from '../../terminal/style.js';
import { type Column, formatTable } from '../../terminal/table.js';
import type { CommandContext } from '../command/command-context.js';

const stateOf = ({ revoked_at, expires_at }: ApiKey): string => {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'valid';
  return Date.parse(expires_at) <= Date.now() ? 'expired' : `until ${expires_at.slice(0, 10)}`;
};

const columns = (style: Style): readonly Column<ApiKey>[] => [
  { title: 'NAME', text: ({ name }) => name, paint: style.bold, shrinkTo: 12 },
  { title: 'ROLE', text: ({ role }) => role },
  { title: 'STATE', text: stateOf },
  { title: 'BEGINS', text: ({ prefix }) => prefix },
  { title: 'LAST USE', text: ({ last_used_at }) => last_used_at?.slice(0, 10) ?? 'never' },
  { title: 'ID', text: ({ id }) => id, paint: style.dim, shrinkTo: 12 },
];

export const run = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const keys = await keyClient((await hub()).api).list();
  out.data(keys);
  if (out.quiet) out.text(keys.map(({ id }) => id).join('\n'));
  else if (keys.length > 0) out.text(formatTable(columns(out.style), keys, out));
  else out.note('No keys exist yet. Create one: plugboard key create <name> --role admin');
  return EXIT.ok;
};
