import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  startPostgres,
  startRelay,
  type PostgresUnderTest,
} from '../../packages/registry/src/test-support/postgres.js';
import { ended, run, serverFile, start, temporaryDirectory } from './cli-process.js';

let postgres: PostgresUnderTest;

beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.[Symbol.asyncDispose]());

/** What was shown, but for the starts of programs: reading starts them. */
const read = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => (name === 'program' ? undefined : value)) as unknown;

it('moves a hub with everything from its file to Postgres', { timeout: 300_000 }, async () => {
  const home = await temporaryDirectory();
  await postgres.createDatabase('moved');
  const url = postgres.urlOf('moved');
  const commands = (env: Readonly<Record<string, string>>) => {
    const plugboard = async (...argv: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(argv, { home, env });
      expect([argv.join(' '), code, stderr.includes('error')]).toEqual([argv.join(' '), 0, false]);
      return stdout;
    };
    return plugboard;
  };
  const before = commands({ BOT_KEY: 'value-of-the-agent' });
  const program = ['--env', 'SHOP_SECRET=value-of-the-server', '--', process.execPath, serverFile('everything')];
  await before('add', 'shop', ...program, 'stdio');
  await before('toolset', 'create', 'few');
  await before('toolset', 'add', 'few', 'shop', 'echo', '--as', 'say');
  await before('agent', 'create', 'bot', '--server', 'shop', '--var', 'BOT_KEY');
  await before('key', 'create', 'laptop', '--role', 'viewer');
  const views = [
    ['show', 'shop', '--json'],
    ['toolset', 'show', 'few', '--json'],
    ['agent', 'show', 'bot', '--json'],
    ['key', 'list', '--json'],
  ];
  const seen = await Promise.all(views.map((argv) => before(...argv)));

  const moved = await run(['migrate', '--to', '-', '--json'], { home, input: `${url}\n` });
  expect([moved.code, moved.stderr]).toEqual([0, '']);
  expect(JSON.parse(moved.stdout)).toMatchObject({
    moved: { mcp_servers: 1, mcp_tools: 13, toolsets: 1, agents: 1, api_keys: 1 },
  });

  const after = commands({ PLUGBOARD_DATABASE_URL: url });
  for (const [index, argv] of views.entries()) {
    expect(read(await after(...argv))).toEqual(read(seen[index] ?? ''));
  }
  expect(await after('call', 'shop', 'get-env')).toContain('value-of-the-server');
  expect(await after('audit')).toContain('createKey');

  const again = await run(['migrate', '--to', url], { home });
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('The target is not empty')]);
  expect(again.stderr).not.toContain('SECRET-password');
  const other = await run(['migrate', '--to', 'mysql://h/db'], { home });
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('not the URL of a Postgres database')]);
});

it('continues a migration that was killed, and opens nothing of it before', { timeout: 300_000 }, async () => {
  const home = await temporaryDirectory();
  await postgres.createDatabase('continued');
  const url = new URL(postgres.urlOf('continued'));
  const done = async (env: Readonly<Record<string, string>>, ...argv: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(argv, { home, env });
    expect([argv.join(' '), code, stderr.includes('error')]).toEqual([argv.join(' '), 0, false]);
    return stdout;
  };
  for (const name of ['one', 'two', 'three']) {
    await done({ BOT_KEY: `value of ${name}` }, 'agent', 'create', name, '--var', 'BOT_KEY');
    await done({}, 'key', 'create', name, '--role', 'viewer');
  }
  const views = [
    ['agent', 'list', '--json'],
    ['key', 'list', '--json'],
  ];
  const seen = await Promise.all(views.map((argv) => done({}, ...argv)));

  // The way to Postgres ends in the middle: the agents are there, the keys were sent.
  const relay = await startRelay(Number(url.port));
  onTestFinished(() => relay.close());
  relay.cutAfter('insert into "api_keys"');
  const through = new URL(url);
  through.port = String(relay.port);
  const killed = start(['migrate', '--to', through.href], { home });
  await expect.poll(() => relay.cuts(), { timeout: 60_000 }).toBe(1);
  killed.kill('SIGKILL');
  await ended(killed);
  expect(await postgres.query('continued', 'select name from agents')).toHaveLength(3);

  const env = { PLUGBOARD_DATABASE_URL: url.href };
  const early = await run(['agent', 'list'], { home, env });
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('A copy into this store was interrupted.')]);
  const moved = JSON.parse(await done({}, 'migrate', '--to', url.href, '--json')) as object;
  expect(moved).toMatchObject({ moved: { agents: 3, api_keys: 3 } });
  expect(await Promise.all(views.map((argv) => done(env, ...argv)))).toEqual(seen);
});
