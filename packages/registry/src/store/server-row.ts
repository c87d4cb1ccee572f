import {
  PlugboardError,
  Secret,
  type KeptConfig,
  type Server,
  type ServerId,
  type ServerStatus,
} from '@plugboard/contract';
import type { Insertable, Selectable } from 'kysely';
import { isoTime } from '../port/clock.js';
import type { SecretBox } from '../secret/secret-box.js';
import { joinConfig, splitConfig } from './config-secrets.js';
import type { ServerChange, StoredServer } from './store.js';
import type { Tables } from './tables.js';

type ServerRow = Selectable<Tables['mcp_servers']>;
type NewServerRow = Insertable<Tables['mcp_servers']>;

export const serverPlace = (id: string, path: string): string => `mcp_servers|${id}|${path}`;

const flag = (value: boolean): number => (value ? 1 : 0);

const configColumns = (id: string, config: KeptConfig, box: SecretBox): Pick<NewServerRow, 'config' | 'secrets'> => {
  const { clear, secrets } = splitConfig(config);
  const sealed = Object.entries(secrets).map(([path, value]) => [path, box.seal(value, serverPlace(id, path))]);
  return { config: JSON.stringify(clear), secrets: JSON.stringify(Object.fromEntries(sealed)) };
};

export const toServerRow = (server: Server, box: SecretBox): NewServerRow => ({
  id: server.id,
  name: server.server_name,
  ...configColumns(server.id, server.config, box),
  enabled: flag(server.enabled),
  protocol: server.protocol === null ? null : JSON.stringify(server.protocol),
  last_sync: server.last_sync === null ? null : JSON.stringify(server.last_sync),
  status: JSON.stringify({ state: 'unknown' } satisfies ServerStatus),
  config_revision: 1,
  revision: 0,
  created_at: Date.parse(server.created_at),
  updated_at: Date.parse(server.updated_at),
});

/** Only the columns that the change names. */
export const toServerColumns = (id: string, change: ServerChange, box: SecretBox): Partial<NewServerRow> => ({
  ...(change.name === undefined ? {} : { name: change.name }),
  ...(change.config === undefined ? {} : configColumns(id, change.config, box)),
  ...(change.enabled === undefined ? {} : { enabled: flag(change.enabled) }),
  ...(change.updatedAt === undefined ? {} : { updated_at: Date.parse(change.updatedAt) }),
  ...(change.protocol === undefined ? {} : { protocol: JSON.stringify(change.protocol) }),
  ...(change.lastSync === undefined ? {} : { last_sync: JSON.stringify(change.lastSync) }),
  ...(change.status === undefined ? {} : { status: JSON.stringify(change.status) }),
});

/** Each is opened once, to know that it can be; then it stays sealed until somebody needs it. */
const openSecrets = (row: ServerRow, box: SecretBox) => {
  const secrets: Record<string, Secret> = {};
  const lost: string[] = [];
  for (const [path, sealed] of Object.entries(JSON.parse(row.secrets) as Record<string, string>)) {
    const open = (): string => box.open(sealed, serverPlace(row.id, path));
    try {
      open();
      secrets[path] = Secret.sealed(open);
    } catch {
      lost.push(path);
    }
  }
  return { secrets, lost };
};

const unreadable = (name: string, lost: readonly string[]): PlugboardError =>
  new PlugboardError('SECRET_UNREADABLE', `Secrets of the server "${name}" cannot be decrypted: ${lost.join(', ')}.`, {
    hint: 'Start the hub with the master key that encrypted them, or set these secrets again.',
    details: { server: name, secrets: lost },
  });

export const fromServerRow = (row: ServerRow, box: SecretBox): StoredServer => {
  const { secrets, lost } = openSecrets(row, box);
  const clear = JSON.parse(row.config) as Record<string, unknown>;
  return {
    server: {
      id: row.id as ServerId,
      server_name: row.name,
      config: joinConfig({ clear, secrets }),
      enabled: row.enabled !== 0,
      protocol: row.protocol === null ? null : (JSON.parse(row.protocol) as Server['protocol']),
      last_sync: row.last_sync === null ? null : (JSON.parse(row.last_sync) as Server['last_sync']),
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    },
    status: JSON.parse(row.status) as ServerStatus,
    configRevision: row.config_revision,
    unreadable: lost.length === 0 ? undefined : unreadable(row.name, lost),
  };
};
