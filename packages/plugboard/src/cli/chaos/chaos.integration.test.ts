import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReport } from '@plugboard/contract';
import { fakeServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

let cwd = '';
let server: FakeServer;
let url = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-chaos-'));
  server = fakeServer({ tools: ['echo'] });
  ({ url } = await server.listenHttp());
});
afterAll(async () => {
  await server.close();
  await rm(cwd, { recursive: true });
});

const chaos = (argv: readonly string[]) =>
  runFake(['--home', cwd, 'chaos', ...argv], {}, { cwd, env: { PATH: process.env['PATH'] ?? '' } });

/** Answers every call with its arguments and reaches no server at all. */
const IDLE_CLIENT = `
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const { id, arguments: args } = JSON.parse(line);
  if (process.env.PLUGBOARD_CHAOS_URL === undefined) console.log(JSON.stringify({ id, error: 'no address' }));
  else console.log(JSON.stringify({ id, text: args.text }));
}`;

describe('chaos', () => {
  it('examines a server, and writes reports', async () => {
    const { code, stdout } = await chaos([
      url,
      '--tool',
      'echo',
      '--only',
      'rsl-0*,RSL-10',
      '--skip',
      'RSL-07,RSL-08,RSL-01',
      '--seed',
      '9',
      '--report',
      'c.xml',
      '--report',
      'c.html',
    ]);
    expect(stdout).toContain('passed: 6 passed');
    expect(stdout).toContain('seed 9');
    expect(code).toBe(0);
    expect(await readFile(join(cwd, 'c.xml'), 'utf8')).toContain('RSL-10');
    expect(await readFile(join(cwd, 'c.html'), 'utf8')).toContain('RSL-04');
  });

  it('examines a client that is a program', async () => {
    await writeFile(join(cwd, 'client.mjs'), IDLE_CLIENT);
    const { json } = await chaos([
      url,
      '--tool',
      'echo',
      '--only',
      'RSL-10',
      '--client',
      `"${process.execPath}" client.mjs`,
      '--json',
    ]);
    const report = checkReport.parse(json());
    // It never sends anything, so nothing can be struck.
    expect(report.results[0]).toMatchObject({ id: 'RSL-10', verdict: 'not-applicable' });
  });

  it.each([
    ['an unknown row', ['--only', 'RSL-99'], 'There is no row "RSL-99"'],
    ['two subjects', ['--subject', 'hub', '--client', 'node x'], 'cannot be combined'],
    ['a hub without a port', ['--through', 'http://127.0.0.1:1/mcp'], '--through needs --listen'],
    ['a report of no known form', ['--report', 'x.pdf'], 'has no'],
    ['a seed that is no number', ['--seed', 'x'], 'whole number'],
  ])('refuses %s', async (_name, flags, message) => {
    const { code, stderr } = await chaos([url, ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('refuses a fault that it does not know, before the proxy listens', async () => {
    const { code, stderr } = await chaos(['proxy', url, '--fault', 'restet']);
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean "reset"?');
  });

  it('refuses a time for an answer in the environment that is none', async () => {
    const { code, stderr } = await runFake(['--home', cwd, 'chaos', url], {}, { cwd, env: { TEST_TIMEOUT: 'soon' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('TEST_TIMEOUT')]);
  });
});
