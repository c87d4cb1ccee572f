import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeHubOptions } from '../../test-support/fake-hub.js';
import { runFake } from '../../test-support/run-fake.js';
import { aServer } from '../../test-support/shapes.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-recording-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const cli = (argv: readonly string[], hub: FakeHubOptions = {}) => runFake(argv, hub, { cwd });

const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

const question = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const answer = { jsonrpc: '2.0', id: 1, result: { tools: [] } };
const RECORDING = lines(
  { format: 'plugboard.recording/1', label: 'node server.js', recordedAt: '2026-01-01T00:00:00.000Z' },
  { at: 0, from: 'client', message: question },
  { at: 1, from: 'server', message: answer },
);

describe('plugboard replay', () => {
  beforeEach(() => writeFile(join(cwd, 'session.jsonl'), RECORDING));

  it.each([
    ['a file that is missing', ['missing.jsonl'], 'The file missing.jsonl cannot be read.'],
    [
      'a target without --against',
      ['session.jsonl', 'https://next.example/mcp'],
      'A target can be given only with --against.',
    ],
    ['--against without a target', ['session.jsonl', '--against'], 'No target was given.'],
    ['a port that is none', ['session.jsonl', '--http', '--port', '70000'], 'port from 0 to 65535'],
  ])('refuses %s', async (_what, argv, why) => {
    const { code, stderr } = await cli(['replay', ...argv]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('answers on its standard streams until they end', async () => {
    const stdin = lines({ ...question, id: 7 });
    const { code, stdout } = await runFake(['replay', 'session.jsonl'], {}, { cwd, stdin });
    expect([code, JSON.parse(stdout)]).toEqual([0, { ...answer, id: 7 }]);
  });

  it.each(['before it began', 'while it waits for a line'])(
    'ends when it is cancelled %s',
    async (when) => {
      const [stop, stdin] = [new AbortController(), new PassThrough()];
      if (when === 'before it began') stop.abort();
      else stdin.once('resume', () => stop.abort());
      const { stdout } = await runFake(['replay', 'session.jsonl'], {}, { cwd, stdin, signal: stop.signal });
      expect([stop.signal.aborted, stdout]).toEqual([true, '']);
    },
    5_000,
  );

  it('refuses a file that is not a recording', async () => {
    await writeFile(join(cwd, 'other.jsonl'), '{}\n');
    const { code, stderr } = await cli(['replay', 'other.jsonl']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a recording')]);
  });
});

describe('plugboard record', () => {
  it('keeps a file that exists', async () => {
    await writeFile(join(cwd, 'out.jsonl'), 'precious');
    const refused = await cli(['record', '-o', 'out.jsonl', '--', 'node', 'server.js']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('already exists')]);
    expect(await readFile(join(cwd, 'out.jsonl'), 'utf8')).toBe('precious');
  });

  it('needs a hub that runs for a registered server', async () => {
    const server = aServer({
      server_name: 'files',
      config: { mcp_server_type: 'stdio', command: 'npx', args: ['x'] },
    });
    const { code, stderr } = await cli(['record', 'files'], { servers: [server] });
    expect(code).not.toBe(0);
    expect(stderr).toContain('No hub is running, so there is no traffic to record.');
  });
});
