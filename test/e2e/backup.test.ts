import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type PostgresUnderTest } from '../../packages/registry/src/test-support/postgres.js';
import { hubCall } from '../support/hub-call.js';
import { run, serverFile, temporaryDirectory } from './cli-process.js';
import { type HubProcess, startHubProcess } from './hub-process.js';

const SECRET = 'value-of-the-server';
const VIEWS = [
  ['show', 'shop', '--json'],
  ['toolset', 'show', 'few', '--json'],
  ['agent', 'show', 'bot', '--json'],
];

let postgres: PostgresUnderTest;
beforeAll(async () => {
  postgres = await startPostgres();
  await postgres.createDatabase('restored');
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

type Env = Readonly<Record<string, string>>;

const commandsIn = (home: string, env: Env = {}) => {
  const tried = (...argv: string[]) => run(argv, { home, env });
  const done = async (...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await tried(...argv);
    expect([argv.join(' '), code, stderr.includes('error')]).toEqual([argv.join(' '), 0, false]);
    return stdout;
  };
  // What runs at the moment is no part of the store.
  const shown = async (argv: readonly string[]): Promise<object> => ({
    ...(JSON.parse(await done(...argv)) as object),
    program: undefined,
  });
  return { tried, done, seen: () => Promise.all(VIEWS.map(shown)) };
};

interface Written {
  readonly rows: { readonly api_keys: number };
}

/** Makes a backup while the hub creates keys. Every key that was acknowledged before it began is in it. */
const whileWriting = async (hub: HubProcess, before: number, backUp: () => Promise<string>): Promise<Written> => {
  const stop = new AbortController();
  let keys = 0;
  const writing = (async () => {
    while (!stop.signal.aborted) {
      const { status } = await hubCall(hub.url, 'POST', '/v1/keys', { name: 'k', role: 'viewer' });
      if (status === 201) keys += 1;
    }
  })();
  await expect.poll(() => keys, { timeout: 60_000 }).toBeGreaterThan(3);
  const acknowledged = keys;
  const written = JSON.parse(await backUp()) as Written;
  stop.abort();
  await writing;
  expect(written.rows.api_keys).toBeGreaterThanOrEqual(before + acknowledged);
  return written;
};

it('a backup of a busy hub restores to a file, then to Postgres and back', { timeout: 300_000 }, async () => {
  const [home, other, last] = [await temporaryDirectory(), await temporaryDirectory(), await temporaryDirectory()];
  const first = commandsIn(home, { BOT_KEY: 'value-of-the-agent' });
  const hub = await startHubProcess(home);
  await first.done(
    'add',
    'shop',
    '--env',
    `SHOP_SECRET=${SECRET}`,
    '--',
    process.execPath,
    serverFile('everything'),
    'stdio',
  );
  await first.done('toolset', 'create', 'few');
  await first.done('toolset', 'add', 'few', 'shop', 'echo', '--as', 'say');
  await first.done('agent', 'create', 'bot', '--server', 'shop', '--var', 'BOT_KEY');
  const before = await first.seen();

  const file = join(home, 'all.backup');
  const written = await whileWriting(hub, 0, () => first.done('backup', file, '--with-master-key', '--json'));
  await hub.stop();
  expect((await readFile(file, 'latin1')).includes(SECRET)).toBe(false);
  const again = await first.tried('backup', file);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);

  // To a file, with the key that came with it.
  const second = commandsIn(other);
  const restored = JSON.parse(await second.done('restore', file, '--json')) as typeof written;
  expect(restored).toMatchObject({ rows: written.rows, master_key: 'restored' });
  expect(await second.seen()).toEqual(before);
  expect(await second.done('call', 'shop', 'get-env')).toContain(SECRET);
  const twice = await second.tried('restore', file);
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('The target is not empty')]);

  // To Postgres: first with a wrong key, and without one.
  const bare = join(other, 'bare.backup');
  await second.done('backup', bare);
  const env = { PLUGBOARD_DATABASE_URL: postgres.urlOf('restored') };
  const keyless = await commandsIn(last, env).tried('restore', bare);
  expect([keyless.code, keyless.stderr]).toEqual([
    2,
    expect.stringContaining('the master key that decrypts them is missing'),
  ]);
  const wrong = await commandsIn(last, { ...env, PLUGBOARD_MASTER_KEY: 'ab'.repeat(32) }).tried('restore', bare);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('not the one that encrypted')]);
  await writeFile(join(last, 'master.key'), await readFile(`${file}.key`), { mode: 0o600 });
  const third = commandsIn(last, env);
  await third.done('restore', bare);
  expect(await third.seen()).toEqual(before);
  expect(await third.done('call', 'shop', 'get-env')).toContain(SECRET);

  // And from Postgres again, while a hub writes there; that backup is complete.
  const fromPostgres = join(last, 'postgres.backup');
  const onPostgres = await startHubProcess(last, env);
  const kept = await whileWriting(onPostgres, written.rows.api_keys, () =>
    third.done('backup', fromPostgres, '--json'),
  );
  await onPostgres.stop();
  const end = await temporaryDirectory();
  await writeFile(join(end, 'master.key'), await readFile(`${file}.key`), { mode: 0o600 });
  const fourth = commandsIn(end);
  expect(JSON.parse(await fourth.done('restore', fromPostgres, '--json'))).toMatchObject({ rows: kept.rows });
  expect(await fourth.seen()).toEqual(before);
  const rubbish = join(last, 'rubbish');
  await writeFile(rubbish, 'not a database, but long enough to be taken for one'.repeat(100));
  const refused = await commandsIn(await temporaryDirectory()).tried('restore', rubbish);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('error');
});
