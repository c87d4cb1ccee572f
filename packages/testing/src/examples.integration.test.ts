import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  deadPort,
  fakeServer,
  fakeServerCommand,
  FaultScript,
  httpDouble,
  manyToolsServer,
  rawHttpClient,
  rawLineClient,
  readCounter,
  readProcessLog,
} from '@plugboard/testing';
import { DOUBLE_KEY, llmDouble } from '@plugboard/testing/llm';
import '@plugboard/testing/vitest';
import OpenAI from 'openai';
import { expect, test } from 'vitest';

// Each region is an example of docs/testing.md; the last test holds the page to them.

test('a server and a client', async () => {
  // #region first
  await using server = fakeServer({
    tools: ['echo', { name: 'greet', handler: (args) => `Hello, ${String(args['name'])}!` }],
  });
  const { url } = await server.listenHttp();

  const client = new Client({ name: 'mine', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const result = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });

  expect(result).toHaveText('Hello, Ada!');
  expect(server).toHaveExecuted('greet', 1);
  await client.close();
  // #endregion
});

test('a fault', async () => {
  // #region fault
  await using server = fakeServer();
  server.script.on('tools/call').first().respondStatus(404);
  server.script.on('tools/list').always().delay(20);
  server.script.on('tools/call', { name: 'add' }).nth(2).cutSocket('after-handler');
  // #endregion
  const client = rawHttpClient((await server.listenHttp()).url);
  await client.initialize();
  expect((await client.request('tools/call', { name: 'echo', arguments: { text: 'x' } })).status).toBe(404);
});

test('waiting', async () => {
  await using server = fakeServer({ tools: ['hang'] });
  const client = rawHttpClient((await server.listenHttp()).url);
  await client.initialize();
  const controller = new AbortController();
  // #region waiting
  const call = client.request('tools/call', { name: 'hang' }, { signal: controller.signal });
  const received = await server.log.arrival('tools/call', 1, { timeoutMs: 5_000 });
  expect(received.sessionId).toBe(client.sessionId);
  expect(server.log.methods()).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
  // #endregion
  controller.abort();
  await expect(call).rejects.toThrow(/abort/);
});

test('a process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-testing-'));
  try {
    // #region process
    const file = join(folder, 'count');
    const logFile = join(folder, 'log');
    const { command, args } = fakeServerCommand({
      tools: [{ name: 'charge', handler: 'counter', settings: { file } }],
      script: new FaultScript().on('tools/call').first().crash('while-working').rules,
      logFile,
    });

    const child = spawn(command, args);
    const client = rawLineClient(child);
    await client.initialize();
    const answer = await client.request('tools/call', { name: 'charge', arguments: {} });

    expect(answer).toBeUndefined();
    expect(readCounter(file)).toBe(1);
    expect(readProcessLog(logFile).map((entry) => entry.method)).toContain('tools/call');
    // #endregion
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the modern era', async () => {
  // #region modern
  await using server = fakeServer({
    eras: 'both',
    tools: [
      {
        name: 'book',
        handler: async (_args, call) => {
          const answer = await call.elicit({
            mode: 'form',
            message: 'For how many people?',
            requestedSchema: { type: 'object', properties: { people: { type: 'integer' } } },
          });
          return JSON.stringify(answer['content']);
        },
      },
    ],
  });
  const { url } = await server.listenHttp();
  const client = rawHttpClient(url, { era: 'modern', capabilities: { elicitation: {} } });

  const asked = await client.request('tools/call', { name: 'book', arguments: {} });
  const done = await client.request('tools/call', {
    name: 'book',
    arguments: {},
    inputResponses: { 'elicitation/create': { action: 'accept', content: { people: 4 } } },
    requestState: asked.response?.result?.['requestState'],
  });

  expect(asked.response?.result?.['resultType']).toBe('input_required');
  expect(done.response?.result).toHaveText('{"people":4}');
  // #endregion
});

test('the double', async () => {
  // #region double
  await using double = await httpDouble();
  double
    .next({ status: 503, headers: { 'retry-after': '1' } })
    .next([{ write: 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {"json' }, 'cut'])
    .always((request) => ({ headers: { 'content-type': 'application/json' }, body: request.body }));

  expect((await fetch(double.url, { method: 'POST', body: '{}' })).status).toBe(503);
  expect(double.requests[0]?.method).toBe('POST');
  expect(double.connections).toBe(1);
  // #endregion
});

test('fixtures', async () => {
  // #region fixtures
  await using many = manyToolsServer({ count: 300, pages: 7, broken: true });
  const client = rawLineClient(many.connectStdio());
  await client.initialize();
  const page = await client.request('tools/list');
  expect(page?.result).toHaveTool('tool_001');

  const { url } = await deadPort();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  // #endregion
});

const dedent = (text: string): string => {
  const lines = text.replace(/^\n+|\s+$/g, '').split('\n');
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)));
  return lines.map((line) => line.slice(indent)).join('\n');
};

test('a double of the model providers', async () => {
  // #region llm
  await using double = await llmDouble();
  double.next({ fault: { status: 429, headers: { 'retry-after-ms': '1' } } }, (request) => ({
    toolCalls: request.tools.map(({ name }) => ({ name, arguments: { city: 'Oslo' } })),
  }));

  const client = new OpenAI({ apiKey: DOUBLE_KEY, baseURL: double.openaiUrl });
  const answer = await client.chat.completions.create({
    model: 'gpt-double',
    messages: [{ role: 'user', content: 'What is the weather in Oslo?' }],
    tools: [{ type: 'function', function: { name: 'get_forecast', parameters: { type: 'object', properties: {} } } }],
  });

  expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
  expect(double.requests).toHaveLength(2);
  // #endregion
});

test('the page shows exactly what was run here', () => {
  const source = readFileSync(new URL(import.meta.url), 'utf8');
  const page = readFileSync(new URL('../../../docs/testing.md', import.meta.url), 'utf8');
  const regions = [...source.matchAll(/^ *\/\/ #region (\w+)\n([\s\S]*?)^ *\/\/ #endregion$/gm)];
  const examples = [...page.matchAll(/<!-- example: (\w+) -->\n```ts\n([\s\S]*?)\n```/g)];
  expect(regions.length).toBeGreaterThan(5);
  expect(examples.map(([, name, code]) => [name, code])).toEqual(
    regions.map(([, name, code]) => [name, dedent(code ?? '')]),
  );
});
