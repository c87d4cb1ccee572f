import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqliteConnection } from '../../packages/registry/src/store/sqlite-binding.js';
import { canary, leaksIn } from '../support/canary.js';
import { ended, run, start, temporaryDirectory, textOf, until } from './cli-process.js';

const KEY = Buffer.alloc(32, 5).toString('hex');
const OTHER_KEY = Buffer.alloc(32, 6).toString('base64');
const SECRET = canary('at-rest');

const isRunning = /running at (?<url>http:\/\/\S+)/u;

/** Registers servers with secrets on a store that this key seals; nothing needs to answer. */
const fill = async (home: string, env: Readonly<Record<string, string>>, names: readonly string[]): Promise<void> => {
  for (const name of names) {
    const argv = ['add', name, 'http://127.0.0.1:9/mcp', '--token', '-', '--var', 'SECRET', '--json'];
    const { code, stderr } = await run(argv, { home, env: { ...env, SECRET }, input: SECRET });
    expect([code, stderr]).toEqual([0, '']);
  }
};

/** A hub that must not start: how it ended, and what it said. */
const refusedStart = async (home: string, env: Readonly<Record<string, string>>) => {
  const hub = start(['serve', '--port', '0'], { home, env });
  const [code, stdout, stderr] = await Promise.all([ended(hub), textOf(hub.stdout), textOf(hub.stderr)]);
  return { code, text: stdout + stderr };
};

const startsWith = async (home: string, env: Readonly<Record<string, string>>): Promise<void> => {
  const hub = start(['serve', '--port', '0'], { home, env });
  await until(hub, isRunning);
  hub.kill('SIGTERM');
  await ended(hub);
};

const bytesOf = async (home: string): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(home)).filter((name) => name.startsWith('plugboard.db'));
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(home, name), 'latin1')] as const)),
  );
};

describe('secrets at rest, with the program as it is installed', () => {
  it('are sealed with a key from the environment, which wins over a file', async () => {
    const home = await temporaryDirectory();
    await fill(home, { PLUGBOARD_MASTER_KEY: KEY }, ['one']);
    await expect(stat(join(home, 'master.key'))).rejects.toMatchObject({ code: 'ENOENT' });
    const bytes = await bytesOf(home);
    expect([...bytes.keys()]).toContain('plugboard.db');
    expect(leaksIn(bytes, { secret: SECRET, key: KEY })).toEqual([]);

    // The right key lies in the file, and a wrong one is given: the one that was given counts, and it is wrong.
    await writeFile(join(home, 'master.key'), `${KEY}\n`, { mode: 0o644 });
    const before = await bytesOf(home);
    const wrong = await refusedStart(home, { PLUGBOARD_MASTER_KEY: OTHER_KEY });
    expect(wrong.code).toBe(2);
    expect(wrong.text).toContain('The secrets in this store were encrypted with another master key.');
    expect(leaksIn(new Map([['what it said', wrong.text]]), { KEY, OTHER_KEY })).toEqual([]);
    expect((await bytesOf(home)).get('plugboard.db')).toBe(before.get('plugboard.db'));
    const broken = await refusedStart(home, { PLUGBOARD_MASTER_KEY: 'too short' });
    expect([broken.code, broken.text]).toEqual([2, expect.stringContaining('not 32 bytes')]);

    // Left out, the key of the file is imported, and kept from others.
    await startsWith(home, {});
    expect((await stat(join(home, 'master.key'))).mode & 0o777).toBe(0o600);
  });

  it('are of no use to a thief of the store, who is told so', async () => {
    const home = await temporaryDirectory();
    await fill(home, {}, ['one']);
    const thief = await temporaryDirectory();
    for (const name of (await bytesOf(home)).keys()) await copyFile(join(home, name), join(thief, name));
    const stolen = await refusedStart(thief, {});
    expect(stolen.code).toBe(2);
    expect(stolen.text).toContain('The master key is missing, and the store holds secrets that need it.');
    await expect(stat(join(thief, 'master.key'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(leaksIn(await bytesOf(thief), { secret: SECRET })).toEqual([]);
  });

  it('lie in files that only their owner can read', async () => {
    const home = await temporaryDirectory();
    const hub = start(['serve', '--port', '0'], { home });
    await until(hub, isRunning);
    await expect
      .poll(() =>
        stat(join(home, 'hub.json')).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const open = await Promise.all(
      files.map(async ({ parentPath, name }) => [name, (await stat(join(parentPath, name))).mode & 0o077] as const),
    );
    const names = open.map(([name]) => name);
    for (const name of ['master.key', 'plugboard.db', 'plugboard.db-wal', 'hub.json']) expect(names).toContain(name);
    expect(open.filter(([, mode]) => mode !== 0)).toEqual([]);
    hub.kill('SIGTERM');
    await ended(hub);
  });

  it('that were damaged by one bit are an error of their record only', async () => {
    const home = await temporaryDirectory();
    await fill(home, {}, ['damaged', 'whole']);
    const store = await openSqliteConnection(join(home, 'plugboard.db'), 5000);
    const [row] = store.prepare(`select secrets from mcp_servers where name = 'damaged'`).all() as [
      { secrets: string },
    ];
    const secrets = JSON.parse(row.secrets) as Record<string, string>;
    const sealed = secrets['auth_token'] ?? '';
    const at = sealed.length - 10;
    const flipped = String.fromCharCode(sealed.charCodeAt(at) ^ 1);
    secrets['auth_token'] = sealed.slice(0, at) + flipped + sealed.slice(at + 1);
    store.prepare(`update mcp_servers set secrets = ? where name = 'damaged'`).run(JSON.stringify(secrets));
    store.close();
    const { code, stdout } = await run(['list', '--json'], { home });
    expect(code).toBe(0);
    const codes = (
      JSON.parse(stdout) as { server_name: string; status: { error?: { code: string; details?: unknown } } }[]
    ).map(({ server_name, status }) => [server_name, status.error?.code, status.error?.details]);
    expect(codes).toEqual([
      ['damaged', 'SECRET_UNREADABLE', { server: 'damaged', secrets: ['auth_token'] }],
      ['whole', expect.not.stringContaining('SECRET') as string, expect.anything()],
    ]);
    await rm(join(home, 'plugboard.db'));
  });
});
