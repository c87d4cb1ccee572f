import { PassThrough } from 'node:stream';
import { deferred, LineSplitter } from '@plugboard/base';
import type { ServerConfig } from '@plugboard/contract';
import { buildFailure, buildResult, encodeLine, type JsonRpcRequest } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import type { ClientEvent } from './client-event.js';
import { McpClient } from '../mcp-client.js';
import type { ExitReport } from '../error/exit-report.js';
import type { LaunchedProcess } from '../supervisor/launch-process.js';
import type { ProcessSpec } from '../supervisor/program/process-spec.js';
import { scriptedDispatcher } from '../test-support/scripted-dispatcher.js';

const died: ExitReport = { code: 1, signal: null, reason: 'exited', stderrTail: [] };

const answer = (message: JsonRpcRequest): object => {
  switch (message.method) {
    case 'initialize':
      return buildResult(message.id, { protocolVersion: '2025-11-25', capabilities: {} });
    case 'tools/call':
      return buildResult(message.id, { content: [] });
    default:
      return buildFailure(message.id, { code: -32601, message: 'unknown' });
  }
};

/** A child that answers, and dies when it is told to. */
const child = (): {
  readonly launched: LaunchedProcess;
  readonly die: () => void;
  readonly say: (text: string) => void;
} => {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const exit = deferred<ExitReport>();
  const splitter = new LineSplitter({
    onLine: (line) => {
      const message = JSON.parse(line) as JsonRpcRequest;
      if (message.id !== undefined) stdout.write(`${JSON.stringify(answer(message))}\n`);
    },
  });
  stdin.on('data', (chunk: Buffer) => splitter.push(chunk));
  const die = (): void => {
    stdin.destroy();
    stdout.destroy();
    exit.resolve(died);
  };
  return {
    launched: { pid: 1, stdin, stdout, stderrTail: () => [], exited: exit.promise, stop: async () => die() },
    die,
    say: (text) => stdout.write(text),
  };
};

describe('a server that is a process', () => {
  const config: ServerConfig = {
    mcp_server_type: 'stdio',
    command: 'serve',
    args: ['--fast'],
    env: { TOKEN: 'hush-hush' },
    cwd: null,
  };

  test('gets its own environment on top of the one that is passed on, and its secrets are named to the launcher', async () => {
    const specs: ProcessSpec[] = [];
    const secrets: unknown[] = [];
    const client = new McpClient({
      config,
      environment: { PATH: '/bin', TOKEN: 'other' },
      launchOptions: { grace: { stdinMs: 1 } },
      launch: async (spec, options) => {
        specs.push(spec);
        secrets.push(options.secrets);
        return child().launched;
      },
    });
    await client.callTool('a');
    expect(specs).toEqual([
      { command: 'serve', args: ['--fast'], env: { PATH: '/bin', TOKEN: 'hush-hush' }, cwd: undefined },
    ]);
    expect(secrets).toEqual([expect.arrayContaining(['hush-hush'])]);
    await client.dispose();
  });

  test('that dies while nobody uses it is started again by the next call; its noise is told without secrets', async () => {
    const children: ReturnType<typeof child>[] = [];
    const events: ClientEvent[] = [];
    const client = new McpClient({
      config,
      onEvent: (event) => events.push(event),
      launch: async () => {
        const started = child();
        children.push(started);
        return started.launched;
      },
    });
    await client.callTool('a');
    children[0]?.say(`token is hush-hush\n${encodeLine({ jsonrpc: '2.0', method: 'notifications/x' })}`);
    await expect.poll(() => events.at(-1), { timeout: 10_000 }).toEqual({ type: 'noise', text: 'token is [redacted]' });
    children[0]?.die();
    await expect.poll(() => client.isInitialized, { timeout: 10_000 }).toBe(false);
    await client.callTool('a');
    expect(children).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'session-lost')).toHaveLength(1);
    await client.dispose();
  });

  test('that cannot be started is told, and leaves nothing open', async () => {
    const client = new McpClient({ config, launch: () => Promise.reject(new Error('no such program')) });
    await expect(client.connect()).rejects.toMatchObject({ code: 'INTERNAL', delivery: 'not-executed' });
    expect(client.isInitialized).toBe(false);
    await client.dispose();
  });
});

test('a server of the POST /sse profile is not probed', async () => {
  const { dispatcher, seen } = scriptedDispatcher(({ body }) => {
    const { id, method } = body as { id: number; method: string };
    return method === 'list_tools' ? { body: buildResult(id, { tools: [{ name: 'a' }] }) } : { status: 404 };
  });
  const client = new McpClient({
    config: { mcp_server_type: 'sse', server_url: 'http://host:1/sse' },
    profile: 'post-sse',
    createDispatcher: () => dispatcher,
  });
  expect(await client.listTools()).toEqual([{ name: 'a' }]);
  expect(client.protocol).toMatchObject({ era: 'legacy', transport: 'sse' });
  expect(seen.map(({ body }) => (body as { method: string }).method)).toEqual(['initialize', 'list_tools']);
  await client.dispose();
});

test('a config of one HTTP transport finds the other, and says so', async () => {
  const events: ClientEvent[] = [];
  const { dispatcher } = scriptedDispatcher(({ method, body }) => {
    if (method !== 'POST') return { status: 405 };
    const { id, method: asked } = body as { id: number; method: string };
    const result = { supportedVersions: ['2026-07-28'], capabilities: {} };
    return asked === 'server/discover' ? { body: buildResult(id, result) } : { status: 202 };
  });
  const client = new McpClient({
    config: { mcp_server_type: 'sse', server_url: 'http://host:1/mcp' },
    createDispatcher: () => dispatcher,
    onEvent: (event) => events.push(event),
  });
  await client.connect();
  expect(events[0]).toEqual({ type: 'transport-fallback', from: 'sse', to: 'streamable_http' });
  await client.dispose();
});
