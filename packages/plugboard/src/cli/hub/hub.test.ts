import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

let home = '';
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-stdio-'));
});
afterEach(() => rm(home, { recursive: true }));

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const greeting = line({
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
});

describe('stdio', () => {
  it('refuses a server that nobody knows, and a server together with a toolset', async () => {
    const unknown = await runFake(['--home', home, 'stdio', 'nobody'], {}, { stdin: greeting });
    expect(unknown.stdout + unknown.stderr).toContain('nobody');
    const both = await runFake(['--home', home, 'stdio', 'a', '--toolset', 'b']);
    expect(both.code).toBe(2);
    expect(both.stderr).toContain('contradict each other');
  });
});

describe('migrate', () => {
  const migrate = (to: string, env: Record<string, string> = {}) =>
    runFake(['--home', home, 'migrate', '--to', to], {}, { env, stdin: 'mysql://a/b' });

  it.each(['mysql://host/database', 'nonsense', '-'])('refuses %s', async (to) => {
    const { code, stderr } = await migrate(to);
    expect(code).toBe(2);
    expect(stderr).toContain('That is not the URL of a Postgres database.');
  });

  it('refuses a store that was moved already', async () => {
    const { stderr } = await migrate('postgres://a/b', { PLUGBOARD_DATABASE_URL: 'postgres://a/b' });
    expect(stderr).toContain('already in Postgres');
  });
});

describe('the keys of a hub', () => {
  it('that open nothing any more are deleted', async () => {
    const purge = (left: number) => runFake(['key', 'purge'], { answers: { '/v1/keys': { deleted: 2, left } } });
    expect((await purge(1)).stdout).toContain('Deleted 2 keys that were revoked or expired; 1 left.');
    expect((await purge(0)).stderr).toContain('now need no key');
  });

  it('are shown only while it runs', async () => {
    const { code, stderr } = await runFake(['--home', home, 'key', 'local']);
    expect(code).toBe(4);
    expect(stderr).toContain('No hub runs on this home.');
  });
});
