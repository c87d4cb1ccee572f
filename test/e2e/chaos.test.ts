import { spawn } from 'node:child_process';
import { checkReport, type CheckReport } from '@plugboard/contract';
import { deadPort, fakeServer } from '@plugboard/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run, serverFile, temporaryDirectory } from './cli-process.js';

/** A program that is killed must start again, which takes seconds on a busy machine. */
const chaos = async (argv: readonly string[]): Promise<CheckReport> => {
  const home = await temporaryDirectory();
  const { stdout } = await run(['chaos', '--json', '--seed', '3', '--budget', '30', ...argv], { home });
  return checkReport.parse(JSON.parse(stdout));
};

const failures = ({ results, reason }: CheckReport): readonly string[] => [
  ...(reason === undefined ? [] : [reason]),
  ...results.filter(({ verdict }) => verdict !== 'pass').map(({ id, detail }) => `${id}: ${detail}`),
];

/** A server from npm behind HTTP. */
const startEverything = async (): Promise<string> => {
  const { port, url } = await deadPort();
  const child = spawn(process.execPath, [serverFile('everything'), 'streamableHttp'], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port) },
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect
    .poll(
      () =>
        fetch(url).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0);
  return url;
};

describe('the hub recovers from every fault', () => {
  it('in front of a program from npm whose tool must not run twice', async () => {
    const home = await temporaryDirectory();
    const tool = 'create_entities={"entities":[{"name":"a","entityType":"b","observations":[]}]}';
    const env = `MEMORY_FILE_PATH=${home}/memory.jsonl`;
    const report = await chaos([
      '--subject',
      'hub',
      '--tool',
      tool,
      '--env',
      env,
      '--skip',
      'RSL-40,RSL-42',
      '--',
      process.execPath,
      serverFile('memory'),
    ]);
    expect(failures(report)).toEqual([]);
    expect(report.results.map(({ id }) => id)).toContain('RSL-34');
  });

  it('in front of a server that demands a token', async () => {
    const server = fakeServer({ tools: ['echo'], requireHeaders: { authorization: 'Bearer t0ken-of-the-server' } });
    onTestFinished(() => server.close());
    const { url } = await server.listenHttp();
    const flags = ['--subject', 'hub', '--token', 't0ken-of-the-server', '--tool', 'echo={"text":"x"}'];
    const report = await chaos([url, ...flags, '--only', 'RSL-05,RSL-10']);
    expect(failures(report)).toEqual([]);
    expect(report.results).toHaveLength(2);
  });

  it('in front of a server from npm behind HTTP', async () => {
    const url = await startEverything();
    const skipped = 'RSL-01,RSL-07,RSL-08,RSL-21,RSL-40,RSL-42';
    const report = await chaos([url, '--subject', 'hub', '--tool', 'toggle-simulated-logging={}', '--skip', skipped]);
    expect(failures(report)).toEqual([]);
    expect(report.results.length).toBeGreaterThan(15);
  });
});
