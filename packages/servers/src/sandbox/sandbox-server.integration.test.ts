import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxProgram } from './program/sandbox-program.js';
import { connectTo, firstText, serveHttp, type Era, type Served } from './test-support/served.js';

interface Report {
  readonly status: string;
  readonly result?: { readonly type: string; readonly value: unknown };
  readonly error?: { readonly code: string; readonly name?: string; readonly message: string };
  readonly console: readonly { readonly level: string; readonly text: string }[];
  readonly files: readonly { readonly handle: string; readonly name: string; readonly uri: string }[];
}

let served: Served;

beforeAll(async () => {
  served = await serveHttp(sandboxProgram, '--cpu-ms', '20000', '--time-ms', '30000', '--max-sessions', '8');
});
afterAll(() => served.stop());

describe.each<Era>(['legacy', 'modern'])('the sandbox for a %s client', (era) => {
  let client: Client;

  beforeAll(async () => {
    client = await connectTo(served.url, era);
  });
  afterAll(() => client.close());

  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
  const run = async (args: Record<string, unknown>): Promise<Report> =>
    (await call('run_code', args)).structuredContent as Report;
  const session = async (): Promise<string> =>
    ((await call('create_session', {})).structuredContent as { session_id: string }).session_id;

  it('says what its tools do to the world', async () => {
    const { tools } = await client.listTools();
    const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'close_session',
      'create_session',
      'get_file',
      'list_files',
      'put_file',
      'run_code',
    ]);
    expect(readOnly.sort()).toEqual(['get_file', 'list_files']);
    expect(
      tools.every(
        ({ outputSchema, annotations }) => outputSchema !== undefined && annotations?.openWorldHint === false,
      ),
    ).toBe(true);
  });

  it('runs JavaScript and TypeScript', async () => {
    expect(await run({ code: `console.log('hi', { a: 1 }); [1, 2].map((n) => n * 2)` })).toMatchObject({
      status: 'completed',
      result: { type: 'array', value: [2, 4] },
      console: [{ level: 'log', text: 'hi {"a":1}' }],
    });
    const code = `interface P { x: number } enum E { A, B } const p: P = { x: E.B }; await Promise.resolve(p.x as number)`;
    expect(await run({ code, language: 'typescript' })).toMatchObject({ result: { type: 'number', value: 1 } });
  });

  it('tells of an error of the code as an error result', async () => {
    const result = await call('run_code', { code: `function f() { throw new TypeError('bad') }\nf()` });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({
      status: 'threw',
      error: { code: 'CODE_THREW', name: 'TypeError', message: 'bad' },
    });
    expect(firstText(result)).toContain('at f (main.js:1');
    expect(await run({ code: 'const a: = 1', language: 'typescript' })).toMatchObject({
      error: { name: 'SyntaxError' },
    });
  });

  it('stops what takes too long, as asked', async () => {
    const result = await call('run_code', { code: 'for (;;);', cpu_ms: 50 });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { status: 'stopped', error: { code: 'CPU_LIMIT' } },
    });
    expect(firstText(result)).toMatch(/^CPU_LIMIT: /u);
  });

  it('keeps variables and files in a session', async () => {
    const session_id = await session();
    await run({ session_id, code: `let count = 1; const next = () => ++count; files.write('note.txt', 'héllo')` });
    const { result, files } = await run({
      session_id,
      code: `files.write('bin', new Uint8Array([0, 255])); [next(), files.list()]`,
    });
    expect(result?.value).toEqual([2, ['bin', 'note.txt']]);
    expect(files.map(({ name }) => name)).toEqual(['bin']);

    const listed = (await call('list_files', { session_id })).structuredContent as { files: Report['files'] };
    expect(listed.files.map(({ name }) => name)).toEqual(['bin', 'note.txt']);
    const [bin, note] = listed.files;
    expect((await call('get_file', { handle: bin?.handle })).structuredContent).toMatchObject({
      encoding: 'base64',
      content: 'AP8=',
    });
    expect((await call('get_file', { handle: note?.handle })).structuredContent).toMatchObject({
      encoding: 'text',
      content: 'héllo',
    });
    expect(await client.readResource({ uri: note?.uri ?? '' })).toMatchObject({
      contents: [{ mimeType: 'text/plain', text: 'héllo' }],
    });

    expect((await call('close_session', { session_id })).structuredContent).toEqual({ closed: true });
    expect((await call('close_session', { session_id })).structuredContent).toEqual({ closed: false });
    const gone = await call('run_code', { session_id, code: '1' });
    expect([gone.isError, firstText(gone)]).toEqual([true, expect.stringMatching(/^SESSION_NOT_FOUND: /u)]);
    await expect(client.readResource({ uri: note?.uri ?? '' })).rejects.toThrow(/not found/iu);
  });

  it('gives a file to a run by its handle', async () => {
    const put = await call('put_file', { name: 'data.csv', content: 'YSxiCjEsMg==', encoding: 'base64' });
    const { handle } = put.structuredContent as { handle: string };
    expect(await run({ files: [handle], code: `files.readText('data.csv').split('\\n')` })).toMatchObject({
      result: { value: ['a,b', '1,2'] },
    });
    expect(await run({ code: `files.list()` })).toMatchObject({ result: { value: [] } });
  });

  it.each([
    ['put_file', { name: '../etc/passwd', content: 'x' }, /^FILE_INVALID: /u],
    ['put_file', { name: 'C:\\x', content: 'x' }, /^FILE_INVALID: /u],
    ['put_file', { name: 'x', content: 'no base64!', encoding: 'base64' }, /^FILE_INVALID: /u],
    ['put_file', { name: 'x', content: 'x'.repeat(3_000_000) }, /^FILE_LIMIT: /u],
    ['get_file', { handle: 'file_guess' }, /^FILE_NOT_FOUND: /u],
    ['run_code', { code: '1', files: ['file_guess'] }, /^FILE_NOT_FOUND: /u],
    ['list_files', { session_id: 'ses_guess' }, /^SESSION_NOT_FOUND: /u],
  ] as const)('refuses %s with wrong arguments in words', async (name, args, words) => {
    const result = await call(name, args);
    expect(result.isError).toBe(true);
    expect(firstText(result)).toMatch(words);
    expect(firstText(result)).not.toMatch(/\/(?:home|work|usr)|node_modules|\.js:/u);
  });

  it('reports progress, and stops when the client cancels', async () => {
    const seen: number[] = [];
    const stop = new AbortController();
    const running = client.callTool(
      { name: 'run_code', arguments: { code: 'await new Promise((done) => setTimeout(done, 20_000))' } },
      {
        signal: stop.signal,
        onprogress: ({ progress }) => {
          seen.push(progress);
          stop.abort();
        },
      },
    );
    await expect(running).rejects.toThrow(/abort/iu);
    expect(seen).toEqual([0]);
    await expect.poll(async () => (await healthOf(served.url)).sandbox.running, { timeout: 15_000 }).toBe(0);
  });
});

interface Health {
  readonly status: string;
  readonly sandbox: { readonly running: number };
}

const healthOf = async (url: string): Promise<Health> =>
  (await (await fetch(new URL('/health', url))).json()) as Health;

describe('sessions between clients', () => {
  it('belong to the client that made them, where the transport tells clients apart', async () => {
    const [mine, other] = await Promise.all([connectTo(served.url, 'legacy'), connectTo(served.url, 'legacy')]);
    try {
      const made = await mine.callTool({ name: 'create_session', arguments: {} });
      const { session_id } = made.structuredContent as { session_id: string };
      const code = { name: 'run_code', arguments: { session_id, code: 'globalThis.seen = 1' } };
      expect((await mine.callTool(code)).isError).not.toBe(true);
      expect(firstText(await other.callTool(code))).toMatch(/^SESSION_NOT_FOUND: /u);
      expect((await other.callTool({ name: 'close_session', arguments: { session_id } })).structuredContent).toEqual({
        closed: false,
      });
    } finally {
      await Promise.all([mine.close(), other.close()]);
    }
  });

  it('run one program at a time', async () => {
    const client = await connectTo(served.url, 'modern');
    try {
      const made = await client.callTool({ name: 'create_session', arguments: {} });
      const { session_id } = made.structuredContent as { session_id: string };
      const code = 'await new Promise((done) => setTimeout(done, 300)); 1';
      const [one, two] = await Promise.all(
        [1, 2].map(() => client.callTool({ name: 'run_code', arguments: { session_id, code } })),
      );
      expect([one, two].filter((result) => result?.isError === true)).toHaveLength(1);
      expect([one, two].map((result) => firstText(result ?? {})).join()).toMatch(/SESSION_BUSY/u);
    } finally {
      await client.close();
    }
  });
});

it('answers /health', async () => {
  expect(await healthOf(served.url)).toMatchObject({
    status: 'ok',
    name: 'plugboard-sandbox',
    languages: ['javascript', 'typescript'],
  });
});
