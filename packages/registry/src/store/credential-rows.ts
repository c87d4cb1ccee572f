import type { Kysely, Selectable, Transaction } from 'kysely';
import type { CredentialKey } from './oauth-store.js';
import type { Tables } from './tables.js';

export const findCredentialRow = (
  db: Kysely<Tables> | Transaction<Tables>,
  { owner, principal }: CredentialKey,
): Promise<Selectable<Tables['oauth_credentials']> | undefined> =>
  db
    .selectFrom('oauth_credentials')
    .selectAll()
    .where('owner', '=', owner)
    .where('principal', '=', principal)
    .executeTakeFirst();

export const deleteCredentialRow = async (
  db: Transaction<Tables>,
  { owner, principal }: CredentialKey,
): Promise<void> => {
  await db.deleteFrom('oauth_credentials').where('owner', '=', owner).where('principal', '=', principal).execute();
};
