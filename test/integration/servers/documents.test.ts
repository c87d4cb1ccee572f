import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientOfSdk1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioOfSdk1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpOfSdk1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CHECKS, checkTarget, runChecks, type CheckTargetInput } from '@plugboard/check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverProgram, startServer, type BundledServer } from './bundled-server.js';

const fixtures = fileURLToPath(new URL('../../../packages/servers/test/fixtures/', import.meta.url));
const expected = (name: string): string => readFileSync(join(fixtures, `${name}.expected.md`), 'utf8');

let folder = '';
let server: BundledServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'documents-server-'));
  for (const name of ['report.docx', 'report.pdf', 'budget.xlsx']) {
    await copyFile(join(fixtures, name), join(folder, name));
  }
  await writeFile(join(folder, 'bad.docx'), 'PK\u0003\u0004 nothing of use');
  server = await startServer('documents', ['--allow-dir', folder], folder);
});

afterAll(async () => {
  await server?.end();
  await rm(folder, { recursive: true, force: true });
});

interface Content {
  readonly type: string;
  readonly text?: string;
  readonly uri?: string;
}

interface User {
  readonly call: (
    name: string,
    args: Record<string, unknown>,
  ) => Promise<{ content: readonly Content[]; isError?: boolean | undefined }>;
  readonly read: (uri: string) => Promise<string | undefined>;
  readonly close: () => Promise<void>;
}

/** Calls of both SDKs have the same form on the wire and different types. */
const userOf = (client: Client | ClientOfSdk1): User => ({
  call: async (name, args) => {
    const { content, isError } = await (client as Client).callTool({ name, arguments: args });
    return { content, isError };
  },
  read: async (uri) => ((await (client as Client).readResource({ uri })).contents[0] as Content | undefined)?.text,
  close: () => client.close(),
});

const sdk1 = async (transport: HttpOfSdk1 | StdioOfSdk1): Promise<User> => {
  const client = new ClientOfSdk1({ name: 'sdk-1', version: '1.0.0' });
  await client.connect(transport);
  return userOf(client);
};

const sdk2 = async (transport: Transport, mode: 'legacy' | { readonly pin: '2026-07-28' }): Promise<User> => {
  const client = new Client({ name: 'sdk-2', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return userOf(client);
};

const endpoint = (): URL => new URL('/mcp', server.url);
const program = () => ({
  command: process.execPath,
  args: [serverProgram('documents'), '--allow-dir', folder],
  stderr: 'ignore' as const,
});
const MODERN = { pin: '2026-07-28' } as const;

describe.each<[string, () => Promise<User>]>([
  ['SDK 1 over stdio', () => sdk1(new StdioOfSdk1(program()))],
  ['SDK 1 over HTTP', () => sdk1(new HttpOfSdk1(endpoint()))],
  ['SDK 2 over stdio, legacy', () => sdk2(new StdioClientTransport(program()), 'legacy')],
  ['SDK 2 over stdio, modern', () => sdk2(new StdioClientTransport(program()), MODERN)],
  ['SDK 2 over HTTP, legacy', () => sdk2(new StreamableHTTPClientTransport(endpoint()), 'legacy')],
  ['SDK 2 over HTTP, modern', () => sdk2(new StreamableHTTPClientTransport(endpoint()), MODERN)],
])('%s', (_who, open) => {
  test('converts what real programs made, and is told why not', async () => {
    const user = await open();
    try {
      const pdf = await user.call('convert_document', { input_path: 'report.pdf' });
      expect(pdf.content[0]?.text).toBe(expected('report.pdf'));
      const link = pdf.content.find(({ type }) => type === 'resource_link');
      expect(await user.read(link?.uri ?? '')).toBe(expected('report.pdf'));
      const bad = await user.call('convert_document', { input_path: 'bad.docx' });
      expect(bad).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^DAMAGED: /u) as string }] });
      const out = await user.call('convert_document', { input_path: '../../etc/passwd' });
      expect(out.content[0]?.text).toMatch(/^PATH_REFUSED: /u);
      const formats = await user.call('get_supported_formats', {});
      expect(formats.content[0]?.text).toContain('"docx"');
    } finally {
      await user.close();
    }
  });
});

const post = async (body: object): Promise<Record<string, unknown>> => {
  const response = await fetch(endpoint(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
};

const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 'one', method, params });

describe('a plain HTTP client', () => {
  test('finds health, a preflight and a stream', async () => {
    expect((await fetch(new URL('/health', server.url))).status).toBe(200);
    const preflight = await fetch(endpoint(), { method: 'OPTIONS' });
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
    const leaving = new AbortController();
    const stream = await fetch(endpoint(), { headers: { accept: 'text/event-stream' }, signal: leaving.signal });
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-cache');
    expect(stream.headers.get('connection')).toBe('keep-alive');
    const first = Buffer.from((await stream.body?.getReader().read())?.value ?? []).toString();
    expect(first).toMatch(/^event: .+\ndata: /u);
    leaving.abort();
  });

  test('initializes, lists, converts and errs without a session, in plain JSON', async () => {
    const hello = { protocolVersion: '1.0', capabilities: {}, clientInfo: { name: 'plain', version: '1' } };
    expect(await post(rpc('initialize', hello))).toMatchObject({
      id: 'one',
      result: { serverInfo: { name: 'documents' } },
    });
    expect(JSON.stringify(await post(rpc('tools/list')))).toContain('convert_document');
    const convert = (args: object) => post(rpc('tools/call', { name: 'convert_document', arguments: args }));
    expect(await convert({ input_path: 'budget.xlsx' })).toMatchObject({
      result: { content: [{ text: expected('budget.xlsx') }, { type: 'resource_link' }] },
    });
    expect(await convert({})).toMatchObject({ result: { isError: true } });
    const unknown = await post(rpc('tools/call', { name: 'no_such_tool', arguments: {} }));
    expect(unknown).toHaveProperty('error');
  });

  test('is one of many', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post(rpc('tools/call', { name: 'convert_document', arguments: { content: `# ${index}`, format: 'markdown' } })),
      ),
    );
    expect(answers.map((answer) => (answer as { result: { content: Content[] } }).result.content[0]?.text)).toEqual(
      answers.map((_, index) => `# ${index}\n`),
    );
  });
});

describe('the referee', { timeout: 180_000 }, () => {
  const judge = async (input: CheckTargetInput, checks = CHECKS) => {
    const report = await runChecks(checkTarget.parse(input), {
      checks,
      version: '0',
      baseEnv: { PATH: process.env['PATH'] ?? '' },
    });
    expect(report.reason).toBeUndefined();
    return report.results
      .filter(({ verdict }) => verdict === 'fail')
      .map(({ id, era, detail }) => ({ id, era, detail }));
  };

  test('finds no fault over HTTP', async () => {
    expect(await judge({ url: endpoint().href, tier: 'standard' })).toEqual([]);
  });

  test('finds no fault over stdio', async () => {
    // What HTTP cannot show: each of these starts the program anew.
    const own = CHECKS.filter(({ family }) => family === 'stdio' || family === 'lifecycle');
    const command = [process.execPath, serverProgram('documents')];
    expect(await judge({ command, tier: 'smoke' }, own)).toEqual([]);
  });
});

describe('its end', () => {
  test('is quick and clean, streams and converters or not', async () => {
    const other = await startServer('documents', [], folder);
    const leaving = new AbortController();
    const stream = await fetch(new URL('/mcp', other.url), {
      headers: { accept: 'text/event-stream' },
      signal: leaving.signal,
    });
    expect(stream.status).toBe(200);
    expect(await other.end()).toBe(0);
    await stream.body?.cancel().catch(() => undefined);
  });

  test('is a usage error for a port out of range', async () => {
    await expect(startServer('documents', ['--port', '80'], folder)).rejects.toThrow('ended with 2');
  });
});
