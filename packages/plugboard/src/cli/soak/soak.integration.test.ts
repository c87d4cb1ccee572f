import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { soakReport } from '@plugboard/contract';
import { fakeServer, type FakeServer } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFake } from '../../test-support/run-fake.js';

let cwd = '';
let server: FakeServer;
let url = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-soak-'));
  server = fakeServer({ tools: ['echo'] });
  ({ url } = await server.listenHttp());
});
afterAll(async () => {
  await server.close();
  await rm(cwd, { recursive: true });
});

const soak = (argv: readonly string[]) => runFake(['--home', cwd, 'soak', ...argv], {}, { cwd, env: {} });

describe('soak', () => {
  it('samples the target, and is incomplete when the time was too short', async () => {
    const { code, json } = await soak([
      url,
      '--tool',
      'echo',
      '--duration',
      '1.5',
      '--rate',
      '30',
      '--pid',
      String(process.pid),
      '--json',
      '--report',
      'soak.html',
    ]);
    const report = soakReport.parse(json());
    expect(report.samples.at(-1)).toMatchObject({ failed: 0 });
    expect(report.samples.length).toBeGreaterThan(0);
    expect(report.plan).toMatchObject({ seconds: 1.5, rate: 30, churnMode: 'both' });
    expect(code).toBe(6);
    expect(await readFile(join(cwd, 'soak.html'), 'utf8')).toContain('Latency, median');
  });

  it.each([
    ['a rate that no process can have', ['--rate', '1e9'], 'up to 100000'],
    ['a rate that is none', ['--rate', '0'], 'calls per second'],
    ['an unknown report', ['--report', 'x.pdf'], 'has no'],
  ])('refuses %s', async (_name, flags, message) => {
    const { code, stderr } = await soak([url, ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('lasts as long as the environment says, unless a flag does', async () => {
    const env = { LOAD_TEST_DURATION: '0.5' };
    const planned = async (...flags: readonly string[]) => {
      const { json } = await runFake(
        ['--home', cwd, 'soak', url, '--rate', '20', '--json', ...flags],
        {},
        { cwd, env },
      );
      return soakReport.parse(json()).plan.seconds;
    };
    expect(await planned()).toBe(0.5);
    expect(await planned('--duration', '0.4')).toBe(0.4);
  });

  it('refuses a time for an answer in the environment that is none', async () => {
    const { code, stderr } = await runFake(['--home', cwd, 'soak', url], {}, { cwd, env: { TEST_TIMEOUT: 'soon' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('TEST_TIMEOUT')]);
  });
});
