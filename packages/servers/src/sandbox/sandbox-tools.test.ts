import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxProgram, sandboxServer } from './program/sandbox-program.js';
import { DEFAULT_SETTINGS } from './run/sandbox-settings.js';
import { Sandbox } from './run/sandbox.js';
import { connectInProcess, inProcessPool } from './test-support/in-process.js';

const limits = { ...DEFAULT_SETTINGS.limits, cpuMs: 20_000 };
const sandbox = new Sandbox({ ...DEFAULT_SETTINGS, limits, maxSessions: 2, maxCodeBytes: 2000 }, inProcessPool());
let client: Client;

beforeAll(async () => {
  client = await connectInProcess(sandboxServer(sandbox));
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
});

const call = (name: string, args: object = {}) => client.callTool({ name, arguments: { ...args } });
const text = async (name: string, args: object = {}): Promise<string> =>
  ((await call(name, args)).content as { text: string }[])[0]?.text ?? '';

describe('tools of the sandbox', () => {
  it('run code and say it in words', async () => {
    expect(await text('run_code', { code: `console.log('a'); files.write('f', 'x'); ({ n: 1 })` })).toMatch(
      /^\{\n {2}"n": 1\n\}\n\nConsole:\n\[log\] a\n\nFiles:\nf \(1 bytes\) file_\S+$/u,
    );
    expect(await text('run_code', { code: `'plain'` })).toBe('plain');
    expect(await text('run_code', { code: `undefined` })).toBe('undefined');
    expect(await text('run_code', { code: `throw new TypeError('bad')` })).toMatch(
      /^TypeError: bad\n\s+at <eval> \(main\.js:1/u,
    );
    expect(await text('run_code', { code: `throw 1` })).toBe('Error: Thrown: 1');
    expect(await text('run_code', { code: 'for (;;);', cpu_ms: 20, time_ms: 100, memory_mb: 8 })).toMatch(
      /^CPU_LIMIT: /u,
    );
  });

  it('say a result once as text, and what is missing by design', async () => {
    expect((await call('run_code', { code: '1' })).content).toEqual([{ type: 'text', text: '1' }]);
    expect(await text('run_code', { code: 'fetch("http://h")' })).toMatch(/^ReferenceError: .*\n.*--allow-fetch/u);
  });

  it('keep sessions and files', async () => {
    const { session_id } = (await call('create_session')).structuredContent as { session_id: string };
    const { handle, uri } = (await call('put_file', { name: 'a', content: '/wA=', encoding: 'base64', session_id }))
      .structuredContent as { handle: string; uri: string };
    expect(await text('run_code', { session_id, code: `[...files.read('a')].join()` })).toBe('255,0');
    expect((await call('get_file', { handle })).structuredContent).toMatchObject({
      encoding: 'base64',
      content: '/wA=',
    });
    expect(await text('get_file', { handle, encoding: 'text' })).toBe(
      'FILE_INVALID: The file is not UTF-8 text. Correct its name or its content.',
    );
    expect(await client.readResource({ uri })).toMatchObject({ contents: [{ blob: '/wA=' }] });
    expect(await text('list_files', { session_id })).toBe(`a (2 bytes) ${handle}`);
    expect(await text('close_session', { session_id })).toBe('The session is closed.');
    expect(await text('close_session', { session_id })).toBe('The session did not exist.');
    await expect(client.readResource({ uri })).rejects.toThrow('not found');
  });

  it('are refused in words', async () => {
    expect(await text('list_files', { session_id: 'x' })).toMatch(/^SESSION_NOT_FOUND: /u);
    expect(await text('put_file', { name: 'a', content: '!', encoding: 'base64' })).toMatch(/^FILE_INVALID: /u);
    expect(await text('run_code', { code: `'${'é'.repeat(1500)}'` })).toMatch(/^ARGUMENT_INVALID: /u);
    await call('create_session');
    await call('create_session');
    expect(await text('create_session')).toMatch(/^SESSION_LIMIT: /u);
  });

  it('say nothing of the host when something unexpected happens', async () => {
    const broken = new Sandbox(DEFAULT_SETTINGS, {
      ...inProcessPool(),
      run: () => Promise.reject(new Error('/secret/path')),
    });
    const other = await connectInProcess(sandboxServer(broken));
    const result = await other.callTool({ name: 'run_code', arguments: { code: '1' } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('secret');
    await other.close();
  });

  it('report progress to those who ask', async () => {
    const seen: (string | undefined)[] = [];
    await client.callTool(
      { name: 'run_code', arguments: { code: '1' } },
      { onprogress: ({ message }) => seen.push(message) },
    );
    expect(seen).toEqual(['Running']);
  });
});

it('the program opens and closes what it serves', async () => {
  const nothing = () => undefined;
  const parts = await sandboxProgram.open({ values: {}, env: {}, cwd: '/', log: nothing });
  expect(parts.health?.()).toMatchObject({
    languages: ['javascript', 'typescript'],
    sandbox: { sessions: 0, running: 0 },
  });
  expect(parts.makeServer({ era: 'modern' }).isConnected()).toBe(false);
  await parts.close?.();
});
