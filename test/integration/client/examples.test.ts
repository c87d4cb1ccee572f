/// <reference lib="esnext.disposable" />
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpClient } from '@plugboard/client';
import { fakeServer, fakeServerCommand } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { answerTheServer } from '../../../examples/client/answer-the-server.js';
import { firstCall } from '../../../examples/client/first-call.js';
import { clientWithToken } from '../../../examples/client/fresh-token.js';
import { payOnce } from '../../../examples/client/pay-once.js';
import { resumingClient } from '../../../examples/client/resume-session.js';
import { startServer } from '../../../examples/client/start-a-server.js';
import { watchTools } from '../../../examples/client/watch-changes.js';
import { patientClient } from '../../../examples/client/with-policies.js';
import { textOf } from './rig.js';

const root = new URL('../../../', import.meta.url);

describe('docs/client.md', () => {
  const page = readFileSync(new URL('docs/client.md', root), 'utf8');
  const folder = new URL('examples/client/', root);

  test.each(readdirSync(folder))('shows examples/client/%s as it is', (name) => {
    const code = readFileSync(new URL(name, folder), 'utf8').trim();
    expect(page).toContain(`\`\`\`ts\n// examples/client/${name}\n${code}\n\`\`\``);
  });

  test('shows no other code in TypeScript', () => {
    expect(page.match(/```ts\n/gu)).toHaveLength(readdirSync(folder).length);
  });
});

describe('the examples do what they say', () => {
  test('first-call', async () => {
    await using server = fakeServer({ eras: 'modern', tools: ['echo'] });
    const { url } = await server.listenHttp();
    expect(await firstCall(url)).toBe('modern server says: one of 1 tools');
  });

  test('start-a-server', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo', 'add'] });
    expect(await startServer(command, args)).toEqual(['echo', 'add']);
  });

  test('pay-once', async () => {
    await using server = fakeServer({ tools: [{ name: 'pay', handler: 'counter' }] });
    const { url } = await server.listenHttp();
    await using client = new McpClient({ config: { mcp_server_type: 'streamable_http', server_url: url } });
    expect(await payOnce(client, 5)).toBe('paid');
    server.script.on('tools/call').first().respondResult({ content: [], isError: true });
    expect(await payOnce(client, 5)).toBe('failed');
    server.script.clear();
    server.script.on('tools/call').first().cutSocket('after-handler');
    expect(await payOnce(client, 5)).toBe('unknown');
  });

  test.each(['legacy', 'modern'] as const)('answer-the-server, %s', async (eras) => {
    await using server = fakeServer({ eras, tools: ['elicit', 'roots'] });
    const { url } = await server.listenHttp();
    await using client = new McpClient({ config: { mcp_server_type: 'streamable_http', server_url: url } });
    answerTheServer(client, async () => 'Ada');
    expect(textOf(await client.callTool('elicit'))).toContain('Ada');
    expect(textOf(await client.callTool('roots'))).toContain('project');
  });

  test.each(['legacy', 'modern'] as const)('watch-changes, %s', async (eras) => {
    await using server = fakeServer({ eras, tools: ['echo'] });
    const { url } = await server.listenHttp();
    await using client = new McpClient({ config: { mcp_server_type: 'streamable_http', server_url: url } });
    const lists: (readonly string[])[] = [];
    const stop = watchTools(client, (names) => lists.push(names));
    await client.connect();
    await server.log.until(() => (server.counters.openStreams > 0 ? true : undefined));
    server.setTools(['add']);
    await expect.poll(() => lists, { timeout: 10_000 }).toEqual([['add']]);
    stop();
  });

  test('with-policies', async () => {
    await using server = fakeServer({ tools: ['echo'] });
    const { url } = await server.listenHttp();
    await using client = patientClient(url);
    server.script.on('tools/call').first().respondStatus(429, undefined, { 'retry-after': '0' });
    expect(textOf(await client.callTool('echo', { text: 'after all' }))).toBe('after all');
  });

  test('fresh-token', async () => {
    await using server = fakeServer({ tools: ['echo'], requireHeaders: { authorization: 'Bearer token-2' } });
    const { url } = await server.listenHttp();
    let renewals = 0;
    await using client = clientWithToken(url, async () => `token-${(renewals += 1)}`);
    expect(textOf(await client.callTool('echo', { text: 'in' }))).toBe('in');
    expect(renewals).toBe(2);
  });

  test('resume-session', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-resume-'));
    try {
      await using server = fakeServer({ tools: ['counter'] });
      const { url } = await server.listenHttp();
      for (const expected of ['1', '2']) {
        await using client = resumingClient(url, join(folder, 'session.json'));
        expect(textOf(await client.callTool('counter'))).toBe(expected);
      }
      expect(server.counters.initialize).toBe(1);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
