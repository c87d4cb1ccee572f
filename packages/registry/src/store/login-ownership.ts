import type { ConnectConfig, Server, ServerId } from '@plugboard/contract';
import type { Transaction } from 'kysely';
import type { SecretBox } from '../secret/secret-box.js';
import { deleteCredentialRow, findCredentialRow } from './credential-rows.js';
import { fromCredentialRow, movedCredential, toCredentialRow } from './oauth-row.js';
import type { CredentialKey } from './oauth-store.js';
import type { Tables } from './tables.js';

/** Who owns a login to a server that is not registered: everyone who names the same URL. */
export const orphanOwner = (config: ConnectConfig): string | undefined =>
  config.mcp_server_type === 'stdio' ? undefined : `url ${config.server_url}`;

/** Makes logins to a URL those of the server that was registered with it. */
export const adoptLogins = async (
  { db, box }: { readonly db: Transaction<Tables>; readonly box: SecretBox },
  key: CredentialKey,
  server: Server,
): Promise<void> => {
  const { owner, principal } = key;
  const row = await findCredentialRow(db, key);
  if (row === undefined) return;
  const credential = movedCredential(fromCredentialRow(row, box), server.id);
  await deleteCredentialRow(db, key);
  await db
    .insertInto('oauth_credentials')
    .values(toCredentialRow(credential, row.version, box))
    .execute();
  await db
    .updateTable('oauth_sessions')
    .set({ owner: server.id, server_id: server.id, server_name: server.server_name })
    .where('owner', '=', owner)
    .where('principal', '=', principal)
    .execute();
};

/** Removes the logins of a server, and those to its URL that no server owns. */
export const deleteLoginsOf = async (
  db: Transaction<Tables>,
  id: ServerId,
  config: ConnectConfig | undefined,
): Promise<void> => {
  const orphan = config === undefined ? undefined : orphanOwner(config);
  const owners = [id, ...(orphan === undefined ? [] : [orphan])];
  await db.deleteFrom('oauth_sessions').where('owner', 'in', owners).execute();
  await db.deleteFrom('oauth_credentials').where('owner', 'in', owners).execute();
};
