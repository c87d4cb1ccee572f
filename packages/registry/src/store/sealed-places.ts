import type { Transaction } from 'kysely';
import { agentPlace } from './agent-row.js';
import { outcomePlace } from './keyed-request-store.js';
import { clientPlace, credentialPlace, loginPlace } from './oauth-row.js';
import { serverPlace } from './server-row.js';
import type { Tables } from './tables.js';

/** A sealed text in the store, and how to put another in its place. */
export interface SealedText {
  readonly sealed: string;
  readonly place: string;
}

/** One row with sealed texts. */
export interface SealedRow {
  readonly texts: readonly SealedText[];
  /** Writes the new texts, in the same order. */
  write(texts: readonly string[]): Promise<unknown>;
}

type Db = Transaction<Tables>;

const mapOf = (json: string): [string, string][] => Object.entries(JSON.parse(json) as Record<string, string>);

const mapRow = (
  secrets: string,
  placeOf: (name: string) => string,
  write: (secrets: string) => Promise<unknown>,
): SealedRow => {
  const entries = mapOf(secrets);
  return {
    texts: entries.map(([name, sealed]) => ({ sealed, place: placeOf(name) })),
    write: (texts) => write(JSON.stringify(Object.fromEntries(entries.map(([name], index) => [name, texts[index]])))),
  };
};

const servers = async (db: Db): Promise<readonly SealedRow[]> =>
  (await db.selectFrom('mcp_servers').select(['id', 'secrets']).execute()).map(({ id, secrets: stored }) =>
    mapRow(
      stored,
      (path) => serverPlace(id, path),
      (secrets) => db.updateTable('mcp_servers').set({ secrets }).where('id', '=', id).execute(),
    ),
  );

const agents = async (db: Db): Promise<readonly SealedRow[]> =>
  (await db.selectFrom('agents').select(['id', 'secrets']).execute()).map(({ id, secrets: stored }) =>
    mapRow(
      stored,
      (name) => agentPlace(id, name),
      (secrets) => db.updateTable('agents').set({ secrets }).where('id', '=', id).execute(),
    ),
  );

const logins = async (db: Db): Promise<readonly SealedRow[]> =>
  (await db.selectFrom('oauth_sessions').select(['id', 'secrets']).execute()).map(({ id, secrets: sealed }) => ({
    texts: [{ sealed, place: loginPlace(id) }],
    write: ([secrets = sealed]) => db.updateTable('oauth_sessions').set({ secrets }).where('id', '=', id).execute(),
  }));

const credentials = async (db: Db): Promise<readonly SealedRow[]> =>
  (await db.selectFrom('oauth_credentials').select(['owner', 'principal', 'secrets']).execute()).map(
    ({ owner, principal, secrets: sealed }) => ({
      texts: [{ sealed, place: credentialPlace({ owner, principal }) }],
      write: ([secrets = sealed]) =>
        db
          .updateTable('oauth_credentials')
          .set({ secrets })
          .where('owner', '=', owner)
          .where('principal', '=', principal)
          .execute(),
    }),
  );

const clients = async (db: Db): Promise<readonly SealedRow[]> =>
  (await db.selectFrom('oauth_clients').selectAll().execute()).map(({ issuer, redirect_uri, client: sealed }) => ({
    texts: [{ sealed, place: clientPlace(issuer, redirect_uri) }],
    write: ([client = sealed]) =>
      db
        .updateTable('oauth_clients')
        .set({ client })
        .where('issuer', '=', issuer)
        .where('redirect_uri', '=', redirect_uri)
        .execute(),
  }));

const keyedRequests = async (db: Db): Promise<readonly SealedRow[]> => {
  const rows = await db
    .selectFrom('keyed_requests')
    .select(['id', 'outcome'])
    .where('outcome', 'is not', null)
    .execute();
  return rows.map(({ id, outcome: sealed }) => ({
    texts: [{ sealed: sealed ?? '', place: outcomePlace(id) }],
    write: ([outcome = sealed]) => db.updateTable('keyed_requests').set({ outcome }).where('id', '=', id).execute(),
  }));
};

/** Every row of the store that holds sealed texts. A table that holds some must be read here. */
export const sealedRows = async (db: Db): Promise<readonly SealedRow[]> => [
  ...(await servers(db)),
  ...(await agents(db)),
  ...(await logins(db)),
  ...(await credentials(db)),
  ...(await clients(db)),
  ...(await keyedRequests(db)),
];
