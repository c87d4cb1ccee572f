import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  checkTarget,
  parseRecording,
  Recorder,
  replayAgainst,
  Replayer,
  serveReplayHttp,
  startHttpTap,
} from '@plugboard/check';
import { fakeServer, fakeServerCommand } from '@plugboard/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fakeProcess } from '../../../packages/plugboard/src/test-support/fake-process.js';
import { runCli } from '../../../packages/plugboard/src/cli/run-cli.js';

const baseEnv = { PATH: process.env['PATH'] ?? '' };

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'plugboard-record-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

/** Records what an official client says to a server behind HTTP. */
const recordOf = async (url: string, work: (client: Client) => Promise<unknown>): Promise<string> => {
  let text = '';
  const recorder = new Recorder({ label: url, write: (piece) => void (text += piece) });
  const tap = await startHttpTap(url, recorder);
  const client = new Client({ name: 'stranger', version: '1.0.0' });
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(tap.url)));
    await work(client);
  } finally {
    await client.close();
    await tap.close();
  }
  return text;
};

describe('a recording over HTTP', () => {
  it('is replayed to an official client as the server itself', async () => {
    const server = fakeServer({ tools: ['echo', 'counter'] });
    onTestFinished(() => server.close());
    const talk = async (client: Client) => [
      await client.listTools(),
      await client.callTool({ name: 'echo', arguments: { text: 'hello' } }),
      await client.callTool({ name: 'counter', arguments: {} }),
      await client.callTool({ name: 'counter', arguments: {} }),
    ];
    let live: unknown;
    const text = await recordOf((await server.listenHttp()).url, async (client) => {
      live = await talk(client);
    });
    const replayer = new Replayer(parseRecording(text, 'x'));
    const served = await serveReplayHttp(replayer);
    onTestFinished(() => served.close());
    const client = new Client({ name: 'another', version: '2.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(served.url)));
    onTestFinished(() => client.close());
    expect(await talk(client)).toEqual(live);
    expect(replayer.missed).toEqual([]);
    const page = await fetch(served.url, { method: 'POST', headers: { origin: 'https://evil.example' }, body: '{}' });
    expect(page.status).toBe(403);
  });

  it('holds no headers, and fails honestly when nobody is behind it', async () => {
    const server = fakeServer({ tools: ['echo'], requireHeaders: { authorization: 'Bearer t0ken-of-the-client' } });
    const { url } = await server.listenHttp();
    let text = '';
    const tap = await startHttpTap(url, new Recorder({ label: 'x', write: (piece) => void (text += piece) }));
    onTestFinished(() => tap.close());
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const headers = {
      authorization: 'Bearer t0ken-of-the-client',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    await fetch(tap.url, { method: 'POST', headers, body });
    expect(text).toContain('"ping"');
    expect(text).not.toContain('t0ken-of-the-client');
    const page = await fetch(tap.url, {
      method: 'POST',
      headers: { ...headers, origin: 'https://evil.example' },
      body,
    });
    expect(page.status).toBe(403);
    await server.close();
    expect((await fetch(tap.url, { method: 'POST', headers, body })).status).toBe(502);
  });
});

describe('a replay against a server', () => {
  it('passes for the same version, and names what a new version answers differently', async () => {
    const server = fakeServer({ tools: ['echo'] });
    onTestFinished(() => server.close());
    const text = await recordOf((await server.listenHttp()).url, async (client) => {
      await client.listTools();
      await client.callTool({ name: 'echo', arguments: { text: 'hello' } });
    });
    const recording = parseRecording(text, 'x');
    const against = async (options: Parameters<typeof fakeServerCommand>[0]) => {
      const { command, args } = fakeServerCommand(options);
      const target = checkTarget.parse({ command: [command, ...args] });
      return await replayAgainst(recording, target, { version: '1.0.0', baseEnv });
    };
    const same = await against({ tools: ['echo'] });
    expect(same.results.map(({ verdict, detail }) => [verdict, detail])).toEqual([
      ['pass', undefined],
      ['pass', undefined],
    ]);
    const changed = await against({ tools: ['counter'] });
    expect(changed.outcome).toBe('failed');
    expect(changed.results[0]?.detail).toContain('result.tools[echo] is missing.');
  });
});

describe('the command', () => {
  const plugboard = async (argv: readonly string[]) => {
    const started = fakeProcess(argv, { cwd });
    const code = await runCli(started, { openHub: () => Promise.reject(new Error('no hub is needed')) });
    return { code, ...started.written };
  };

  it('refuses what is no recording', async () => {
    await writeFile(join(cwd, 'session.jsonl'), '{}');
    const { code, stderr } = await plugboard(['replay', 'session.jsonl']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a recording')]);
  });
});
