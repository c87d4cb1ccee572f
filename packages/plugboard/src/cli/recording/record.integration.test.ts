import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeProcessOptions } from '../../test-support/fake-process.js';
import { runFake } from '../../test-support/run-fake.js';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-record-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const cli = (argv: readonly string[], process: FakeProcessOptions = {}) => runFake(argv, {}, { cwd, ...process });

const question = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { note: 's3cret-value' } };
const answer = { jsonrpc: '2.0', id: 1, result: { tools: [] } };
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Answers every line with the key in its environment before the answer, and exits when its input ends. */
const ANSWERING = `
  process.stdin.on('data', () => process.stdout.write('key ' + process.env.API_KEY + '\\n' + ${JSON.stringify(line(answer))}));
`;

describe('plugboard record, with a program', () => {
  const program = (code: string): readonly string[] => ['--', process.execPath, '-e', code];

  it('passes every byte between client and program, and records both directions', async () => {
    const { code, stdout, stderr } = await cli(
      ['record', '-o', 'out.jsonl', '--env', 'API_KEY=s3cret-value', ...program(ANSWERING)],
      { stdin: line(question) },
    );
    expect([code, stdout]).toEqual([0, `key s3cret-value\n${line(answer)}`]);
    expect(stderr).toContain('Wrote 2 messages to out.jsonl.');
    const text = await readFile(join(cwd, 'out.jsonl'), 'utf8');
    expect(text).not.toContain('s3cret-value');
    const [header, ...messages] = text
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as { readonly from?: string });
    expect(header).toMatchObject({ format: 'plugboard.recording/1' });
    expect(messages.map(({ from }) => from)).toEqual(['client', 'server']);
  });

  it('fails when the program does', async () => {
    const failing = 'process.stdin.resume().on("end", () => process.exit(3))';
    const { code } = await cli(['record', ...program(failing)], { stdin: line(question) });
    expect(code).toBe(1);
    expect(await readFile(join(cwd, 'recording.jsonl'), 'utf8')).toContain('tools/list');
  });

  it('reports a program that cannot be started', async () => {
    const { code, stderr } = await cli(['record', '--', join(cwd, 'no-such-program')], { stdin: new PassThrough() });
    expect(code).not.toBe(0);
    expect(stderr).toContain('no-such-program cannot be started.');
  });

  it('overwrites a file with --force', async () => {
    await writeFile(join(cwd, 'out.jsonl'), 'precious');
    const { code } = await cli(['record', '-o', 'out.jsonl', '--force', ...program(ANSWERING)], { stdin: '' });
    expect(code).toBe(0);
    expect(await readFile(join(cwd, 'out.jsonl'), 'utf8')).toMatch(/^\{"format"/u);
  });
});
