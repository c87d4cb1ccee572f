import { EXIT, type ApiKeyCreate, type ExitCode, type Role, type ApiKey, PlugboardError } from '@plugboard/contract';
import { keyClient } from '../../hub-api/client/key-client.js';
import type { CommandContext } from '../command/command-context.js';
import { tellNewKey } from '../render/new-key-words.js';
import type { Style } from '../../terminal/style.js';
import type { Column } from '../../terminal/table.js';
import { showList } from '../render/show-list.js';
import { findRunningHub } from '../../hub-api/connect/running-hub.js';
import { count } from '../../terminal/count.js';

export interface KeyCreateInput {
  readonly name: string;
  readonly role: Role;
  readonly agent?: string | undefined;
  readonly servers: readonly string[];
  readonly expiresAt?: string | undefined;
}

export const create = async ({ out, hub }: CommandContext, input: KeyCreateInput): Promise<ExitCode> => {
  const client = await hub();
  const server_ids = [];
  for (const server of input.servers) server_ids.push((await client.server(server)).id);
  const made = await keyClient(client.api).create({
    name: input.name,
    role: input.role,
    ...(input.agent === undefined ? {} : { agent_id: input.agent as ApiKeyCreate['agent_id'] }),
    ...(server_ids.length === 0 ? {} : { server_ids: server_ids as NonNullable<ApiKeyCreate['server_ids']> }),
    ...(input.expiresAt === undefined ? {} : { expires_at: input.expiresAt }),
  });
  tellNewKey(made, out);
  return EXIT.ok;
};

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

export const list = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  return showList(out, await keyClient((await hub()).api).list(), {
    columns,
    name: ({ id }) => id,
    none: 'No keys exist yet. Create one: plugboard key create <name> --role admin',
  });
};

/** The key that the running hub left in its home, for scripts of its owner. */
export const local = async ({ process, out, settings }: CommandContext): Promise<ExitCode> => {
  const { home } = await settings();
  const running = await findRunningHub(home, { fetch, isAlive: process.isAlive, signal: process.signal });
  if (running.state !== 'answers' || running.key === undefined) {
    throw new PlugboardError('HUB_UNREACHABLE', 'No hub runs on this home.', {
      hint: 'Start it with `plugboard serve`; `plugboard key create` creates a key that survives a restart.',
    });
  }
  out.data({ url: running.url, key: running.key });
  out.text(running.key);
  return EXIT.ok;
};

/** An id, what the key begins with, or a name. */
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

export const revoke = async ({ out, hub }: CommandContext, { key }: { readonly key: string }): Promise<ExitCode> => {
  const client = keyClient((await hub()).api);
  const revoked = await client.revoke(idOf(await client.list(), key));
  out.data(revoked);
  if (!out.quiet) out.text(`Revoked the key ${out.style.bold(revoked.name)}.`);
  return EXIT.ok;
};

export const purge = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const done = await keyClient((await hub()).api).purge();
  out.data(done);
  if (out.quiet) return EXIT.ok;
  out.text(`Deleted ${count(done.deleted, 'key')} that were revoked or expired; ${done.left} left.`);
  if (done.left === 0) {
    out.note('MCP clients on this machine now need no key, unless access.required or PLUGBOARD_ADMIN_KEY is set.');
  }
  return EXIT.ok;
};

export const rotateMaster = async ({ out, hub }: CommandContext): Promise<ExitCode> => {
  const done = await keyClient((await hub()).api).rotateMaster();
  out.data(done);
  if (!out.quiet) out.text(`Encrypted ${done.resealed} secrets with a new master key.`);
  if (done.unreadable === 0) return EXIT.ok;
  out.problem(`${done.unreadable} secrets could not be decrypted with any known key and were not changed.`);
  return EXIT.failed;
};
