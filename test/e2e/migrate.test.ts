import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type PostgresUnderTest } from '../../packages/registry/src/test-support/postgres.js';
import { run, serverFile, temporaryDirectory } from './cli-process.js';

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
