import type { ErrorDescription, ErrorEnvelope, ServerView } from '@plugboard/contract';
import { fakeServer, rawHttpClient } from '@plugboard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubCall } from '../../support/hub-call.js';
import { ownerFetch } from '../../support/hub-keys.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { command, readablePaths } from '../access/canary/surface.js';
import { httpConfig } from '../gateway/rig.js';

const COMMAND = /plugboard [a-z<]/u;
const ROUTE = /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/v1\//u;

let hub: RealHub;
let server: ReturnType<typeof fakeServer>;
let slow: ServerView;

beforeAll(async () => {
  server = fakeServer({ tools: ['echo', { name: 'slow', handler: 'sleep' }] });
  const { url } = await server.listenHttp();
  hub = await startRealHub();
  const add = async (server_name: string, config: object) =>
    (await hubCall(hub.url, 'POST', '/v1/mcp-servers', { server_name, config: httpConfig(url, config) }))
      .json as ServerView;
  slow = await add('slow', { deadlines: { call: 0.3 } });
  await add('other', { deadlines: { call: 0.3 } });
  const off = await add('off', {});
  await hubCall(hub.url, 'PATCH', `/v1/mcp-servers/${off.id}`, { enabled: false });
});
afterAll(async () => {
  await hub.close();
  await server.close();
});

const cli = async (...argv: readonly string[]): Promise<string> => {
  const env = { PLUGBOARD_HUB_URL: hub.url, PLUGBOARD_API_KEY: hub.key };
  return (await command(argv, { env })).text;
};

const mcpFailure = async (path: string, params: { name: string; arguments: object }): Promise<ErrorDescription> => {
  const { response, text } = await rawHttpClient(hub.url + path, { era: 'modern' }).request('tools/call', {
    ...params,
  });
  const { error } = (response ?? JSON.parse(text)) as { error: { data: ErrorDescription } };
  return error.data;
};

describe('a deadline that was too short', () => {
  const call = { name: 'slow', arguments: { ms: 2000 } };

  it('tells an MCP client the request that changes it, which works', async () => {
    const { hint = '' } = await mcpFailure('/servers/slow/mcp', call);
    expect(hint).not.toMatch(COMMAND);
    const [, path = '', body = ''] = /PATCH (\S+) with (\{.*\})$/u.exec(hint) ?? [];
    expect(path).toBe(`/v1/mcp-servers/${slow.id}`);
    expect((await hubCall(hub.url, 'PATCH', path, JSON.parse(body))).status).toBe(200);
    expect((await hubCall(hub.url, 'GET', path)).json).toMatchObject({ deadlines: { call: 300 } });
    await hubCall(hub.url, 'PATCH', path, { config: { deadlines: { call: 0.3 } } });
  });

  it('tells a REST client the same, and the command line its command', async () => {
    const { json } = await hubCall(hub.url, 'POST', '/servers/slow/tools/slow', { ms: 2000 });
    expect((json as ErrorEnvelope).error.hint).toContain('PATCH /v1/mcp-servers/');
    const text = await cli('call', 'other', 'slow', '--arg', 'ms=2000');
    expect(text.replaceAll(/\s+/gu, ' ')).toContain('plugboard set other --deadline call=300');
    expect(text).not.toMatch(ROUTE);
  });
});

describe('every failure', () => {
  it('that a route answers has a hint for programs, and one for terminals where that names a route', async () => {
    const document = (await hubCall(hub.url, 'GET', '/openapi.json')).json as Parameters<typeof readablePaths>[0];
    const paths = [
      ...readablePaths(document, {}),
      '/nowhere',
      '/v1/nowhere',
      '/servers/none/tools',
      '/servers/off/tools',
    ];
    const failures: [string, ErrorDescription][] = [];
    for (const path of paths.filter((each) => !each.includes('events') && !each.includes('connect'))) {
      const answer = await ownerFetch(hub.url + path);
      const text = await answer.text();
      if (answer.status >= 400) failures.push([path, (JSON.parse(text) as ErrorEnvelope).error]);
    }
    const changes: readonly (readonly [string, string, unknown?])[] = [
      ['POST', '/v1/mcp-servers', { server_name: 5 }],
      [
        'POST',
        '/v1/toolsets',
        {
          name: 't',
          entries: [{ server_id: slow.id.replace(/.$/u, (last) => (last === 'f' ? '0' : 'f')), upstream_name: 'x' }],
        },
      ],
      ['POST', '/v1/agents', {}],
      ['DELETE', '/v1/agents/none'],
      ['PATCH', '/v1/toolsets/none', {}],
      ['DELETE', '/v1/services/none'],
      ['POST', '/servers/slow/tools/none', {}],
      ['POST', '/servers/off/tools/echo', {}],
      ['POST', '/toolsets/none/tools/x', {}],
    ];
    for (const [method, path, body] of changes) {
      const { status, json } = await hubCall(hub.url, method, path, body);
      expect([path, status >= 400]).toEqual([path, true]);
      failures.push([`${method} ${path}`, (json as ErrorEnvelope).error]);
    }
    failures.push(['tools/call', await mcpFailure('/servers/slow/mcp', { name: 'none', arguments: {} })]);
    expect(failures.length).toBeGreaterThan(25);
    expect(failures.filter(([, { hint }]) => hint === undefined || COMMAND.test(hint))).toEqual([]);
    expect(
      failures.filter(
        ([, { hint = '', cli_hint }]) => (ROUTE.test(hint) && cli_hint === undefined) || ROUTE.test(cli_hint ?? ''),
      ),
    ).toEqual([]);
  });

  it('that the command line prints names no route', async () => {
    const commands = [
      ['show', 'none'],
      ['toolset', 'show', 'none'],
      ['agent', 'show', 'none'],
      ['key', 'revoke', 'none'],
      ['tools', 'off'],
      ['call', 'off', 'echo', '--arg', 'text=x'],
      ['call', 'slow', 'none'],
      ['agent', 'create', 'a name that is far too long '.repeat(20)],
    ];
    for (const words of commands) {
      for (const form of [[], ['--json']]) {
        const text = await cli(...words, ...form);
        expect([words[0], text.includes('cli_hint'), ROUTE.exec(text)?.[0]]).toEqual([words[0], false, undefined]);
      }
    }
  });
});
