import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import '../vitest.js';
import { stockToolNames } from '../definition/stock-tool-name.js';
import { fakeServer } from '../server/fake-server.js';
import { rawLineClient, type RawLineClient } from '../raw/raw-line-client.js';
import { readCounterKeys } from './counter-tool.js';

const opened = async (tools: Parameters<typeof fakeServer>[0], act: (client: RawLineClient) => Promise<void>) => {
  const written: string[] = [];
  await using server = fakeServer({
    host: { env: { A: '1' }, pid: 42, stderr: (text) => void written.push(text), crash: () => server.cut() },
    ...tools,
  });
  const client = rawLineClient(server.connectStdio());
  await client.initialize('2025-11-25', { elicitation: {}, sampling: {}, roots: {} });
  await act(client);
  return written;
};

test('every stock tool is listed with a schema and a description', async () => {
  await opened({ tools: stockToolNames }, async (client) => {
    const listed = await client.request('tools/list');
    for (const name of stockToolNames) expect(listed?.result).toHaveTool(name);
    for (const tool of (listed?.result?.['tools'] ?? []) as { inputSchema: unknown; description: string }[]) {
      expect(tool.inputSchema).toMatchObject({ type: 'object' });
      expect(tool.description).toMatch(/\.$/);
    }
  });
});

test.each([
  ['echo', { text: 'hi' }, 'hi'],
  ['add', { a: 1.5, b: 2 }, '3.5'],
  ['big', { bytes: 4 }, 'éé'],
  ['headers', {}, '{}'],
  ['sleep', { ms: 1 }, 'awake'],
  ['progress', { steps: 2 }, '2 steps'],
  ['log', { level: 'loud' }, 'logged'],
  ['env', {}, '{"A":"1"}'],
  ['env', { name: 'A' }, '1'],
  ['env', { name: 'B' }, ''],
  ['pid', {}, '42'],
  ['allocate', { megabytes: 1 }, '1'],
] as const)('%s with %j', async (name, args, text) => {
  await opened({ tools: [name] }, async (client) => {
    expect((await client.request('tools/call', { name, arguments: args }))?.result).toHaveText(text);
  });
});

test('stderr writes as much as it is told', async () => {
  const written = await opened({ tools: ['stderr'] }, async (client) => {
    await client.request('tools/call', { name: 'stderr', arguments: { text: 'x', bytes: 70_000 } });
  });
  expect(written.join('')).toHaveLength(70_001);
});

test('counter counts in memory per server, or in its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-testing-'));
  const file = join(folder, 'count');
  try {
    await opened({ tools: ['counter', { name: 'filed', handler: 'counter', settings: { file } }] }, async (client) => {
      const call = async (name: string, key?: string) =>
        (await client.request('tools/call', { name, arguments: key === undefined ? {} : { key } }))?.result;
      expect(await call('counter')).toHaveText('1');
      expect(await call('counter')).toHaveText('2');
      expect(await call('filed', 'a')).toHaveText('1');
      expect(await call('filed', 'b\nc')).toHaveText('2');
    });
    await opened({ tools: ['counter'] }, async (client) => {
      expect((await client.request('tools/call', { name: 'counter', arguments: {} }))?.result).toHaveText('1');
    });
    expect(readCounterKeys(file)).toEqual(['a', 'b c']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('what is missing, unknown or refused is told', async () => {
  await opened(
    { tools: ['echo', 'elicit', { name: 'throws', handler: () => Promise.reject(new Error('secret')) }] },
    async (client) => {
      const call = (name: string, args: object = {}) => client.request('tools/call', { name, arguments: args });
      expect((await call('echo'))?.result).toBeToolError('Missing required argument: text');
      expect(await call('absent')).toMatchObject({ error: { code: -32602 } });
      expect(await call('throws')).toMatchObject({ error: { code: -32603, message: 'The handler failed' } });
      client.send('tools/call', { name: 'elicit', arguments: {} });
      const asked = await client.message();
      expect(asked).toMatchObject({ method: 'elicitation/create' });
      expect(asked).not.toHaveProperty('params.mode');
      client.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: (asked as { id: string }).id, error: { code: -1, message: 'declined' } })}\n`,
      );
      expect(await client.message()).toMatchObject({ error: { code: -1, message: 'declined' } });
    },
  );
});

test('a client that cannot answer is not asked', async () => {
  await using server = fakeServer({ tools: ['sample'] });
  const client = rawLineClient(server.connectStdio());
  await client.initialize();
  const answer = await client.request('tools/call', { name: 'sample', arguments: {} });
  expect(answer).toMatchObject({ error: { code: -32600, message: 'The client does not support sampling' } });
});
