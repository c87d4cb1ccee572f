import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReport } from '@plugboard/contract';
import { fakeServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeHub } from '../../compose/compose-hub.js';
import { openHub } from '../../hub-api/connect/open-hub.js';
import { quietLogger } from '../../log/quiet-logger.js';
import { runCli } from '../run-cli.js';
import { fakeProcess } from '../../test-support/fake-process.js';

const TOKEN = 'canary-token-of-the-hub';
let home = '';
let server: FakeServer;
let url = '';

const run = async (argv: readonly string[], signal?: AbortSignal) => {
  const process = fakeProcess(argv, {
    env: { PLUGBOARD_HOME: home, PLUGBOARD_PORT: '0' },
    cwd: home,
    ...(signal === undefined ? {} : { signal }),
  });
  const code = await runCli(process, {
    openHub: (context, at, settings) =>
      openHub({ process: context, url: at, settings, compose: (resolved) => composeHub(resolved, quietLogger) }),
  });
  return { code, ...process.written };
};

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plugboard-'));
  server = fakeServer({ tools: ['echo'] });
  ({ url } = await server.listenHttp());
  await run(['add', 'guarded', url, '--token', TOKEN]);
});
afterAll(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

describe('check of a registered server', () => {
  it('uses the credentials that the hub keeps, and does not show them', async () => {
    const before = server.log.entries.length;
    server.script.on('ping').always().respondResult({ pong: true });
    const { code, stdout } = await run(['check', 'guarded', '--json', '--only', 'LIF-01', '--only', 'LIF-27']);
    expect(code).toBe(1);
    const report = checkReport.parse(JSON.parse(stdout));
    expect(report.target.label).toBe('guarded');
    expect(report.results.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['LIF-27', 'fail'],
      ['LIF-01', 'pass'],
    ]);
    expect(stdout).not.toContain(TOKEN);
    const sent = server.log.entries.slice(before).map(({ headers }) => headers['authorization']);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${TOKEN}`]));
  });

  it('keeps the run in the same history as every other, unless told not to', async () => {
    expect((await run(['check', url, '--only', 'LIF-01'])).code).toBe(0);
    expect((await run(['check', 'guarded', '--only', 'LIF-01', '--no-keep'])).code).toBe(0);
    const { stdout } = await run(['check', 'history', '--json']);
    const labels = (JSON.parse(stdout) as readonly { target: { label: string } }[]).map(({ target }) => target.label);
    expect(labels).toEqual([url, 'guarded']);
  });

  it('names the nearest when nobody is called so', async () => {
    const { code, stderr } = await run(['check', 'guardet']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "guarded"?');
  });
});
