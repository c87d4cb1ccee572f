import type { ErrorDescription, OAuthSessionId, RegisteredClient } from '@plugboard/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { SecretBox } from '../secret/secret-box.js';
import { deleteCredentialRow, findCredentialRow } from './credential-rows.js';
import {
  clientPlace,
  fromCredentialRow,
  fromLoginRow,
  sealTokens,
  stateHash,
  toCredentialRow,
  toLoginRow,
} from './oauth-row.js';
import type {
  CredentialKey,
  LeaseRequest,
  NewCredential,
  OAuthStore,
  StoredCredential,
  StoredLogin,
  TokenChange,
} from './oauth-store.js';
import type { SqlAuditEngine } from './sql-audit-store.js';
import type { SqlEngine } from './sql-store.js';
import type { Tables } from './tables.js';

type Reading = Kysely<Tables> | Transaction<Tables>;

export class SqlOAuthStore implements OAuthStore {
  readonly #engine: SqlAuditEngine;
  readonly #box: SecretBox;
  readonly #now: SqlEngine['now'];

  /** @param now the clock of the store */
  constructor(engine: SqlAuditEngine, box: SecretBox, now: SqlEngine['now']) {
    this.#engine = engine;
    this.#box = box;
    this.#now = now;
  }

  async putLogin(login: StoredLogin): Promise<void> {
    const row = toLoginRow(login, this.#box);
    await this.#engine.write((db) => db.insertInto('oauth_sessions').values(row).execute());
  }

  async login(id: string): Promise<StoredLogin | undefined> {
    const query = this.#engine.db.selectFrom('oauth_sessions').selectAll().where('id', '=', id);
    const row = await this.#engine.guarded(() => query.executeTakeFirst());
    return row === undefined ? undefined : fromLoginRow(row, this.#box);
  }

  async logins(filter: {
    readonly serverId?: string | undefined;
    readonly principal: string;
  }): Promise<readonly StoredLogin[]> {
    let query = this.#engine.db.selectFrom('oauth_sessions').selectAll().where('principal', '=', filter.principal);
    if (filter.serverId !== undefined) query = query.where('server_id', '=', filter.serverId);
    const rows = await this.#engine.guarded(() => query.orderBy('created_at', 'desc').limit(200).execute());
    return rows.map((row) => fromLoginRow(row, this.#box));
  }

  claimLogin(state: string, now: number): Promise<StoredLogin | undefined> {
    return this.#engine.write(async (db) => {
      const row = await db
        .updateTable('oauth_sessions')
        .set({ status: 'exchanging' })
        .where('state_hash', '=', stateHash(state))
        .where('status', '=', 'pending')
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? undefined : fromLoginRow(row, this.#box);
    });
  }

  async settleLogin(id: OAuthSessionId, { error }: { readonly error?: ErrorDescription | undefined }): Promise<void> {
    const change =
      error === undefined ? { status: 'authorized', error: null } : { status: 'error', error: JSON.stringify(error) };
    await this.#engine.write((db) => db.updateTable('oauth_sessions').set(change).where('id', '=', id).execute());
  }

  async deleteLogins({ owner, principal }: CredentialKey): Promise<void> {
    await this.#engine.write((db) =>
      db.deleteFrom('oauth_sessions').where('owner', '=', owner).where('principal', '=', principal).execute(),
    );
  }

  async forgetLogins(before: number): Promise<void> {
    await this.#engine.write((db) =>
      db.deleteFrom('oauth_sessions').where('status', '!=', 'authorized').where('expires_at', '<', before).execute(),
    );
  }

  credential(key: CredentialKey): Promise<StoredCredential | undefined> {
    return this.#engine.guarded(() => this.#credential(this.#engine.db, key));
  }

  async credentialsOf(owner: string): Promise<readonly StoredCredential[]> {
    const query = this.#engine.db.selectFrom('oauth_credentials').selectAll().where('owner', '=', owner);
    const rows = await this.#engine.guarded(() => query.execute());
    return rows.map((row) => fromCredentialRow(row, this.#box));
  }

  async credentialsHeldBy(principal: string): Promise<readonly StoredCredential[]> {
    const query = this.#engine.db.selectFrom('oauth_credentials').selectAll().where('principal', '=', principal);
    const rows = await this.#engine.guarded(() => query.execute());
    return rows.map((row) => fromCredentialRow(row, this.#box));
  }

  async deleteHeldBy(principal: string): Promise<void> {
    await this.#engine.write(async (db) => {
      await db.deleteFrom('oauth_sessions').where('principal', '=', principal).execute();
      await db.deleteFrom('oauth_credentials').where('principal', '=', principal).execute();
    });
  }

  putCredential(credential: NewCredential): Promise<StoredCredential> {
    return this.#engine.write(async (db) => {
      const held = await this.#credential(db, credential.key);
      const version = (held?.version ?? 0) + 1;
      await deleteCredentialRow(db, credential.key);
      await db
        .insertInto('oauth_credentials')
        .values(toCredentialRow(credential, version, this.#box))
        .execute();
      return { ...credential, version };
    });
  }

  replaceTokens(key: CredentialKey, version: number, change: TokenChange): Promise<StoredCredential | undefined> {
    return this.#engine.write(async (db) => {
      const held = await this.#credential(db, key);
      if (held === undefined || held.version !== version) return undefined;
      const { tokens, ended, at } = change;
      const next = { ...held, tokens, ended, version: version + 1, updatedAt: at };
      await db
        .updateTable('oauth_credentials')
        .set({
          secrets: sealTokens(next, this.#box),
          ended: ended ?? null,
          version: next.version,
          updated_at: at,
          lease_holder: null,
        })
        .where('owner', '=', key.owner)
        .where('principal', '=', key.principal)
        .execute();
      return next;
    });
  }

  async deleteCredential(key: CredentialKey): Promise<void> {
    await this.#engine.write((db) => deleteCredentialRow(db, key));
  }

  lease(key: CredentialKey, { holder, ttlMs }: LeaseRequest): Promise<boolean> {
    return this.#engine.write(async (db) => {
      const now = this.#now();
      const { numUpdatedRows } = await db
        .updateTable('oauth_credentials')
        .set({ lease_holder: holder, lease_until: sql<number>`${now} + ${sql.lit(ttlMs)}` })
        .where('owner', '=', key.owner)
        .where('principal', '=', key.principal)
        .where((where) => where.or([where('lease_holder', 'is', null), where('lease_until', '<=', now)]))
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows) === 1;
    });
  }

  async releaseLease(key: CredentialKey, holder: string): Promise<void> {
    await this.#engine.write((db) =>
      db
        .updateTable('oauth_credentials')
        .set({ lease_holder: null })
        .where('owner', '=', key.owner)
        .where('principal', '=', key.principal)
        .where('lease_holder', '=', holder)
        .execute(),
    );
  }

  async client(issuer: string, redirectUri: string): Promise<RegisteredClient | undefined> {
    const query = this.#engine.db
      .selectFrom('oauth_clients')
      .select('client')
      .where('issuer', '=', issuer)
      .where('redirect_uri', '=', redirectUri);
    const row = await this.#engine.guarded(() => query.executeTakeFirst());
    if (row === undefined) return undefined;
    return JSON.parse(this.#box.open(row.client, clientPlace(issuer, redirectUri))) as RegisteredClient;
  }

  async putClient(issuer: string, redirectUri: string, client: RegisteredClient): Promise<void> {
    const sealed = this.#box.seal(JSON.stringify(client), clientPlace(issuer, redirectUri));
    await this.#engine.write((db) =>
      db
        .insertInto('oauth_clients')
        .values({ issuer, redirect_uri: redirectUri, client: sealed })
        .onConflict((conflict) => conflict.columns(['issuer', 'redirect_uri']).doUpdateSet({ client: sealed }))
        .execute(),
    );
  }

  async deleteClients(issuer: string): Promise<void> {
    await this.#engine.write((db) => db.deleteFrom('oauth_clients').where('issuer', '=', issuer).execute());
  }

  async #credential(db: Reading, key: CredentialKey): Promise<StoredCredential | undefined> {
    const row = await findCredentialRow(db, key);
    return row === undefined ? undefined : fromCredentialRow(row, this.#box);
  }
}
