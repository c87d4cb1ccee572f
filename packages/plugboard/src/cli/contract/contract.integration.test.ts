import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReport } from '@plugboard/contract';
import { deadPort, fakeServer, fakeServerCommand, type FakeServer } from '@plugboard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

let cwd = '';
let server: FakeServer;
let url = '';

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-contract-'));
  server = fakeServer({ tools: ['echo', 'counter'] });
  url = (await server.listenHttp()).url;
});
afterEach(async () => {
  await server.close();
  await rm(cwd, { recursive: true });
});

const plugboard = (...argv: readonly string[]) => runFake(['--home', cwd, ...argv], {}, { cwd });

const lockText = () => readFile(join(cwd, 'mcp.lock.json'), 'utf8');

describe('lock and diff', () => {
  it('hold for a URL that did not change, and are the same text twice', async () => {
    const locked = await plugboard('lock', url, '--name', 'fake');
    expect([locked.code, locked.stdout]).toEqual([0, expect.stringContaining('fake is locked with 2 tools')]);
    const text = await lockText();
    await plugboard('lock', url, '--name', 'fake');
    expect(await lockText()).toBe(text);
    const { code, stdout } = await plugboard('diff', url);
    expect(stdout).toContain('passed: 3 passed, 0 failed');
    expect(code).toBe(0);
  });

  it('report what changed since, in every form, with exit code 1', async () => {
    const before = fakeServerCommand({ tools: ['echo', 'counter'] });
    const after = fakeServerCommand({ tools: ['echo', 'sleep'] });
    await plugboard('lock', '--name', 'fake', '--', before.command, ...before.args);
    const { code, json } = await plugboard(
      'diff',
      '--json',
      ...['json', 'md', 'xml', 'sarif', 'html', 'svg'].flatMap((ending) => ['--report', `out/diff.${ending}`]),
      '--',
      after.command,
      ...after.args,
    );
    expect(code).toBe(1);
    const report = checkReport.parse(json());
    expect(report.results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual([
      'CON-01:fake/counter',
      'CON-02:fake/sleep',
    ]);
    const sarif = JSON.parse(await readFile(join(cwd, 'out/diff.sarif'), 'utf8')) as {
      readonly runs: readonly { readonly results: readonly unknown[] }[];
    };
    expect(sarif.runs[0]?.results[0]).toMatchObject({
      ruleId: 'CON-01:fake/counter',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'mcp.lock.json' } } }],
    });
    expect(await readFile(join(cwd, 'out/diff.xml'), 'utf8')).toContain('<failure');
  });

  it('keep the other servers of the file', async () => {
    await plugboard('lock', url, '--name', 'one');
    await plugboard('lock', url, '--name', 'two');
    expect(Object.keys((JSON.parse(await lockText()) as { readonly servers: object }).servers)).toEqual(['one', 'two']);
    const unknown = await plugboard('diff', url, '--name', 'tow');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "two"?')]);
  });

  it('do not compare another server with the only entry, unless it is named', async () => {
    const other = fakeServerCommand({ tools: ['echo', 'counter'], serverInfo: { name: 'impostor', version: '1.0.0' } });
    await plugboard('lock', url, '--name', 'clock');
    const guessed = await plugboard('diff', '--', other.command, ...other.args);
    expect([guessed.code, guessed.stderr]).toEqual([2, expect.stringContaining('this server calls itself "impostor"')]);
    expect(guessed.stderr).toContain('--name clock');
    const named = await plugboard('diff', '--name', 'clock', '--json', '--', other.command, ...other.args);
    const { results } = checkReport.parse(named.json());
    expect(results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(['CON-05:clock']);
    expect(named.code).toBe(1);
  });

  it('do not compare a server without a common tool with the only entry of an older lock', async () => {
    const other = fakeServerCommand({ tools: ['add'], serverInfo: { name: 'impostor', version: '1.0.0' } });
    await plugboard('lock', url, '--name', 'clock');
    const lock = JSON.parse(await lockText()) as { servers: { clock: { server?: string } } };
    delete lock.servers.clock.server;
    await writeFile(join(cwd, 'mcp.lock.json'), JSON.stringify(lock));
    const { code, stderr } = await plugboard('diff', '--', other.command, ...other.args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('this server offers none of its tools')]);
    expect((await plugboard('diff', url)).code).toBe(0);
  });

  it('say what they need: a lock file, a readable one, a server that answers', async () => {
    expect((await plugboard('diff', url)).stderr).toContain('There is no lock file mcp.lock.json.');
    await writeFile(join(cwd, 'mcp.lock.json'), '{');
    expect((await plugboard('diff', url)).code).toBe(2);
    await rm(join(cwd, 'mcp.lock.json'));
    await plugboard('lock', url, '--name', 'fake');
    const { code, stdout } = await plugboard('diff', (await deadPort()).url);
    expect([code, stdout]).toEqual([4, expect.stringContaining('unreachable')]);
  });
});
