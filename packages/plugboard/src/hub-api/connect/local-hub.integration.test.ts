import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeHub } from '../../compose/compose-hub.js';
import { runCli } from '../../cli/run-cli.js';
import { fakeProcess } from '../../test-support/fake-process.js';
import { openHub } from './open-hub.js';
import { quietLogger } from '../../log/quiet-logger.js';

let home = '';
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-'));
});
afterAll(() => rm(home, { recursive: true, force: true }));

const run = async (...argv: readonly string[]) => {
  const process = fakeProcess(argv, {
    env: { PLUGBOARD_HOME: home, PLUGBOARD_PORT: '0', PATH: globalThis.process.env['PATH'] ?? '' },
    cwd: home,
  });
  const code = await runCli(process, {
    openHub: (context, url, settings) =>
      openHub({ process: context, url, settings, compose: (resolved) => composeHub(resolved, quietLogger) }),
  });
  return { code, ...process.written };
};

const everything = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

// One story: each step works on what the step before it left in the store.
describe('commands on the store, without a hub', () => {
  it('add, list, call, set, sync, export and remove a server', async () => {
    const added = await run(
      'add',
      'every',
      '--env',
      'TOKEN=canary-secret-42',
      '--',
      process.execPath,
      everything,
      'stdio',
    );
    expect(added.stderr).not.toContain('error');
    expect(added.stdout).toMatch(/every is registered \(stdio, protocol [\d-]+\): \d+ tools\./u);
    expect((await run('list')).stdout).toMatch(/every\s+stdio/u);
    expect((await run('call', 'every', 'get-sum', '-a', 'a=20', '-a', 'b=22')).stdout).toContain('42');
    const error = await run('call', 'every', 'get-sum', '--no-validate', '-a', 'a=x:1');
    expect(error.code).not.toBe(0);
    expect((await run('set', 'every', '--name', 'all', '--env', 'MORE=1')).code).toBe(0);
    const shown = await run('show', 'all', '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ server_name: 'all', env: { TOKEN: '••••t-42', MORE: '••••' } });
    expect((await run('sync', 'all')).stdout).toContain('nothing changed');
    expect((await run('set', 'all', '--disable-tool', 'echo')).stdout).toContain('echo disabled');
    expect((await run('doctor')).code).toBe(0);
    expect((await run('export')).stdout).toContain('${TOKEN}');
    expect((await run('remove', 'all')).code).toBe(0);
    expect((await run('list', '-q')).stdout).toBe('');
    expect((await run('show', 'all')).code).toBe(2);
  });
});
