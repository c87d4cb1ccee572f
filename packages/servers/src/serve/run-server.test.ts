import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ServerProgram } from './command-line/server-program.js';
import { runServer } from './run-server.js';
import { testProgram } from './test-support/test-program.js';

const start = (argv: readonly string[], program: ServerProgram = testProgram(), env: Record<string, string> = {}) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const output = { stdout: '', stderr: '' };
  stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const code = runServer(program, { argv, env, cwd: '/', stdin, stdout, stderr, signal: stop.signal });
  const say = (message: unknown): void =>
    void stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  const lines = () =>
    output.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const answer = async (id: unknown): Promise<Record<string, unknown>> => {
    await expect.poll(() => lines().some((line) => line['id'] === id), { timeout: 20_000 }).toBe(true);
    return lines().find((line) => line['id'] === id) ?? {};
  };
  return { stdin, stdout, stop, output, code, say, lines, answer };
};

const rpc = (method: string, params: object = {}, id: number | string = 1) => ({ jsonrpc: '2.0', id, method, params });
const initialize = (protocolVersion = '2025-06-18') =>
  rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } }, 'init');

describe('a program', () => {
  it('prints its help and its version', async () => {
    const help = start(['--help']);
    expect(await help.code).toBe(0);
    expect(help.output.stdout).toContain('Usage: plugboard-test');
    const version = start(['--version']);
    expect(await version.code).toBe(0);
    expect(version.output.stdout).toBe('9.9.9\n');
  });

  it.each([[['--port', '80', '--transport', 'http']], [['--loud']], [['--nonsense']]])(
    '%j is a mistake: exit code 2',
    async (argv) => {
      const run = start(argv);
      expect(await run.code).toBe(2);
      expect(run.output.stderr).toMatch(/^plugboard-test: .+\nUsage: plugboard-test/u);
      expect(run.output.stdout).toBe('');
    },
  );

  it('that cannot start says why: exit code 1', async () => {
    const failing = { ...testProgram(), open: () => Promise.reject(new Error('no luck')) };
    const run = start([], failing);
    expect(await run.code).toBe(1);
    expect(run.output.stderr).toBe('plugboard-test: no luck\n');
  });
});

describe('over stdio', () => {
  it('serves a legacy client until it leaves, and closes', async () => {
    const program = testProgram();
    const run = start([], program);
    run.say(initialize());
    expect(await run.answer('init')).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
    run.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
    run.say(rpc('tools/call', { name: 'echo', arguments: { text: 'hi' } }, 2));
    expect(await run.answer(2)).toMatchObject({ result: { content: [{ text: 'hi' }] } });
    run.stdin.end();
    expect(await run.code).toBe(0);
    expect(program.seen.closed).toBe(1);
  });

  it('serves a modern client without a greeting', async () => {
    const run = start([]);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    run.say(rpc('tools/call', { name: 'echo', arguments: { text: 'hi' }, _meta: meta }));
    expect(await run.answer(1)).toMatchObject({ result: { content: [{ text: 'hi' }] } });
    run.say(rpc('tools/list', { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' } }, 2));
    expect(await run.answer(2)).toMatchObject({ error: { code: -32_022, data: { supported: ['2026-07-28'] } } });
    run.stop.abort();
    expect(await run.code).toBe(0);
  });

  it('answers what is no JSON and no request, and goes on', async () => {
    const run = start([]);
    run.say(initialize());
    await run.answer('init');
    run.say('{"jsonrpc":');
    run.say('');
    expect(await run.answer(null)).toMatchObject({ error: { code: -32_700 } });
    run.say({ jsonrpc: '1.0', id: 'old', method: 'ping' });
    expect(await run.answer('old')).toMatchObject({ error: { code: -32_600 } });
    run.say('42');
    run.say({ jsonrpc: '2.0', id: 7, method: 5 });
    expect(await run.answer(7)).toMatchObject({ error: { code: -32_600 } });
    run.say({ ...rpc('ping', {}, 8), extra: true });
    expect(await run.answer(8)).toMatchObject({ result: {} });
    run.stdin.end();
    expect(await run.code).toBe(0);
  });

  it('answers initialize even when somebody cancels it', async () => {
    const run = start([]);
    run.say(initialize());
    run.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'init' } });
    expect(await run.answer('init')).toMatchObject({ result: {} });
    run.stdin.end();
    await run.code;
  });

  it('answers batches together where the revision has them, and refuses them elsewhere', async () => {
    const batch = [
      rpc('ping', {}, 'a'),
      { jsonrpc: '1.0', id: 'b' },
      rpc('ping', {}, 'c'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ];
    const old = start([]);
    old.say(initialize('2025-03-26'));
    await old.answer('init');
    old.say(batch);
    await expect.poll(() => old.lines().find((line) => Array.isArray(line))).toHaveLength(3);
    old.stdin.end();
    await old.code;
    const young = start([]);
    young.say(initialize('2025-11-25'));
    await young.answer('init');
    young.say(batch);
    expect(await young.answer(null)).toMatchObject({ error: { code: -32_600 } });
    young.stdin.end();
    await young.code;
  });

  it('refuses a message that is too long, and goes on', async () => {
    const long = start([]);
    long.say('x'.repeat(20_000));
    expect(await long.answer(null)).toMatchObject({ error: { code: -32_600, message: 'The message is too long.' } });
    long.say(initialize('2025-11-25'));
    expect(await long.answer('init')).toHaveProperty('result');
    long.stdin.end();
    expect(await long.code).toBe(0);
  });

  it('ends when nobody reads any more', async () => {
    const broken = start([]);
    broken.stdout.destroy(new Error('EPIPE'));
    expect(await broken.code).toBe(0);
  });

  it('ends at once when it was asked to before it began', async () => {
    const run = start([]);
    run.stop.abort();
    expect(await run.code).toBe(0);
  });
});
