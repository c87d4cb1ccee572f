/// <reference lib="esnext.disposable" />
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchProcess, McpClient, type ClientEvent, type LaunchedProcess } from '@plugboard/client';
import { fakeServerCommand, type Fault } from '@plugboard/testing';
import { describe, expect, test } from 'vitest';
import { allRigs, isModern, isStdio, openRig, textOf, type Rig } from './rig.js';

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => undefined).catch((error: unknown) => error);

/** Timers, sockets and children that this process still holds. */
const held = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => /Timeout|TCPSocketWrap|ProcessWrap/u.test(name));

const expectNothingHeld = async (rig: Rig, before: number): Promise<void> => {
  await rig.client.dispose();
  await rig.server.close();
  await expect.poll(() => held().length, { timeout: 30_000 }).toBeLessThanOrEqual(before);
};

describe.each(allRigs)('a server that hangs, over %s', (kind) => {
  const deadlines = { connectMs: 400, probeMs: 100, listMs: 300, callMs: 1_000 };

  test('on the handshake: ends at the connect deadline', async () => {
    const before = held().length;
    await using rig = await openRig(kind, { client: { deadlines } });
    rig.server.script.on('initialize').always().hang();
    rig.server.script.on('server/discover').always().hang();
    const failure = await failureOf(rig.client.callTool('echo', { text: 'x' }));
    expect(failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT', kind: 'timeout', delivery: 'not-executed' });
    expect(rig.client.isInitialized).toBe(false);
    await expectNothingHeld(rig, before);
  });

  const faults: Readonly<Record<string, Fault>> = {
    'without a word': { hang: 'silent' },
    'after the headers': { hang: 'after-headers' },
    'in the middle of an event': { hang: 'mid-event' },
    'by dripping bytes': { drip: { bytes: 1, everyMs: 60 } },
  };

  // The stream of HTTP+SSE is not the answer to the message: it cannot drip for one of them.
  const played = Object.entries(faults).filter(([how]) => kind !== 'legacy HTTP+SSE' || !how.includes('drip'));

  test.each(played)('on a list, %s: ends at the list deadline', async (_how, fault) => {
    const before = held().length;
    await using rig = await openRig(kind, { client: { deadlines: { ...deadlines, connectMs: 10_000 } } });
    await rig.client.connect();
    rig.server.script.on('tools/list').always().play(fault);
    const failure = await failureOf(rig.client.listTools());
    expect(failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT', kind: 'timeout' });
    expect(rig.server.log.count('tools/list')).toBe(1);
    await expectNothingHeld(rig, before);
  });

  test('on a call that may not run twice: says that it may have run', async () => {
    await using rig = await openRig(kind, { client: { deadlines: { ...deadlines, connectMs: 10_000 } } });
    const failure = await failureOf(rig.client.callTool('hang'));
    expect(failure).toMatchObject({ code: 'AMBIGUOUS_DELIVERY', details: { reason: 'UPSTREAM_TIMEOUT' } });
    expect(rig.server.counters.executed('hang')).toBe(1);
    if (!isModern(kind) || isStdio(kind)) await rig.server.log.arrival('notifications/cancelled');
    expect(textOf(await rig.client.callTool('echo', { text: 'still there' }))).toBe('still there');
  });

  test('longer than the idle time is noticed before the deadline', async () => {
    await using rig = await openRig(kind, { client: { deadlines: { callMs: 60_000, idleMs: 150 } } });
    const failure = await failureOf(rig.client.callTool('hang'));
    expect(failure).toMatchObject({
      code: 'AMBIGUOUS_DELIVERY',
      details: { reason: 'UPSTREAM_TIMEOUT', timeout_ms: 150 },
    });
  });

  test('a shorter deadline can be given to one call', async () => {
    await using rig = await openRig(kind, { client: { deadlines: { callMs: 60_000 } } });
    const failure = await failureOf(rig.client.callTool('hang', {}, { deadlineMs: 100, readOnly: true }));
    expect(failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT', details: { timeout_ms: 100 } });
  });

  test('progress cannot move the end beyond the maximum', async () => {
    await using rig = await openRig(kind, { client: { deadlines: { callMs: 500, maxCallMs: 700 } } });
    const failure = await failureOf(
      rig.client.callTool('progress', { steps: 100, ms: 50 }, { onProgress: () => undefined, readOnly: true }),
    );
    expect(failure).toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });
});

describe('answers that are cut or are no answers', () => {
  test.each(['legacy streamable HTTP, SSE answers', 'modern streamable HTTP, SSE answers'] as const)(
    'a stream that ends before the answer fails at once over %s',
    async (kind) => {
      await using rig = await openRig(kind, { client: { deadlines: { callMs: 60_000 } } });
      rig.server.script.on('tools/call').always().endStreamAfter(0);
      const failure = await failureOf(rig.client.callTool('counter'));
      // At the deadline the reason would be UPSTREAM_TIMEOUT.
      expect(failure).toMatchObject({ code: 'AMBIGUOUS_DELIVERY', details: { reason: 'UPSTREAM_CLOSED' } });
    },
  );

  test('a legacy stream with event ids is taken up where it broke', async () => {
    await using rig = await openRig('legacy streamable HTTP, SSE answers', { server: { resumable: true } });
    rig.server.script.on('tools/call').first().play({ endStreamAfter: 0 });
    expect(textOf(await rig.client.callTool('counter'))).toBe('1');
    expect(rig.server.counters.executed('counter')).toBe(1);
    expect(rig.server.counters.toolsCall).toBe(1);
    expect(rig.server.log.verbs()).toContain('GET');
  });

  test.each([
    ['HTML', 'UPSTREAM_NOT_MCP', { body: '<html></html>', contentType: 'text/html', status: 200 }],
    ['invalid JSON', 'UPSTREAM_PROTOCOL', { body: '{"jsonrpc":', contentType: 'application/json' }],
    ['an empty body', 'UPSTREAM_PROTOCOL', { body: '', contentType: 'application/json' }],
  ] as const)('%s in place of a list is told as %s', async (_what, code, fault) => {
    await using rig = await openRig('legacy streamable HTTP');
    await rig.client.connect();
    rig.server.script.on('tools/list').always().play(fault);
    expect(await failureOf(rig.client.listTools())).toMatchObject({ code, kind: 'protocol' });
  });

  test.each(['legacy stdio', 'modern stdio'] as const)(
    'noise on stdout is reported and skipped over %s',
    async (kind) => {
      const events: ClientEvent[] = [];
      await using rig = await openRig(kind, { client: { onEvent: (event) => events.push(event) } });
      rig.server.script
        .on('tools/call')
        .always()
        .play({ noise: ['Server ready!', '{"not":"a message"}'], splitBytes: 3, lineEnding: '\r\n' });
      expect(textOf(await rig.client.callTool('echo', { text: 'žluťoučký' }))).toBe('žluťoučký');
      expect(events.filter(({ type }) => type === 'noise')).toEqual([
        { type: 'noise', text: 'Server ready!' },
        { type: 'noise', text: '{"not":"a message"}' },
      ]);
    },
  );

  test('an answer that comes twice, or under another id, disturbs nobody', async () => {
    await using rig = await openRig('legacy stdio', { client: { deadlines: { callMs: 1_500 } } });
    rig.server.script.on('tools/call').first().duplicate();
    expect(textOf(await rig.client.callTool('echo', { text: 'a' }))).toBe('a');
    rig.server.script.clear();
    rig.server.script.on('tools/call').first().wrongId();
    expect(await failureOf(rig.client.callTool('echo', { text: 'b' }, { readOnly: true }))).toMatchObject({
      code: 'UPSTREAM_TIMEOUT',
    });
    expect(textOf(await rig.client.callTool('echo', { text: 'c' }))).toBe('c');
  });
});

/** A plain web server with one behaviour. */
const serve = async (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<AsyncDisposable & { readonly url: string; readonly seen: IncomingMessage[] }> => {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    request.resume();
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const clientOf = (url: string): McpClient =>
  new McpClient({
    config: { mcp_server_type: 'streamable_http', server_url: url, auth_token: 'top-secret-token' },
    deadlines: { connectMs: 5_000, probeMs: 1_000 },
    maxRetries: 0,
  });

describe('URLs that are wrong', () => {
  test('404 everywhere: the path is wrong', async () => {
    await using web = await serve((_request, response) => response.writeHead(404).end('<html>nothing</html>'));
    await using client = clientOf(`${web.url}/mcp`);
    expect(await failureOf(client.connect())).toMatchObject({
      code: 'UPSTREAM_WRONG_URL',
      details: { http_status: 404 },
    });
  });

  test('a website: not MCP', async () => {
    await using web = await serve((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>welcome</html>'),
    );
    await using client = clientOf(web.url);
    expect(await failureOf(client.connect())).toMatchObject({ code: 'UPSTREAM_NOT_MCP' });
  });

  test('a redirect to another origin is not followed, and the token does not travel', async () => {
    await using other = await serve((_request, response) => response.writeHead(200).end());
    await using web = await serve((_request, response) =>
      response.writeHead(307, { location: `${other.url}/mcp` }).end(),
    );
    await using client = clientOf(`${web.url}/mcp`);
    const failure = await failureOf(client.connect());
    expect(failure).toMatchObject({ code: 'UPSTREAM_WRONG_URL', details: { http_status: 307 } });
    expect(other.seen).toHaveLength(0);
    expect(JSON.stringify(failure)).not.toContain('top-secret-token');
  });

  test('a redirect inside the origin is followed with the method', async () => {
    await using web = await serve((request, response) =>
      request.url === '/a' ? response.writeHead(308, { location: '/b' }).end() : response.writeHead(404).end(),
    );
    await using client = clientOf(`${web.url}/a`);
    expect(await failureOf(client.connect())).toMatchObject({ details: { http_status: 404 } });
    expect(web.seen.map((request) => `${request.method} ${request.url}`).slice(0, 2)).toEqual(['POST /a', 'POST /b']);
  });

  test('a name that does not exist, a port that is closed, TLS where there is none', async () => {
    await using web = await serve((_request, response) => response.writeHead(404).end());
    const codes = await Promise.all(
      ['http://name.invalid/mcp', 'http://127.0.0.1:1/mcp', `${web.url.replace('http:', 'https:')}/mcp`].map(
        async (url) => {
          await using client = clientOf(url);
          return ((await failureOf(client.connect())) as { code: string }).code;
        },
      ),
    );
    expect(codes).toEqual(['UPSTREAM_DNS', 'UPSTREAM_REFUSED', 'UPSTREAM_TLS']);
  });

  test('an HTTP+SSE server that names an endpoint elsewhere is refused', async () => {
    await using web = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: http://evil.example/messages\n\n');
    });
    await using client = new McpClient({
      config: { mcp_server_type: 'sse', server_url: `${web.url}/sse` },
      maxRetries: 0,
    });
    expect(await failureOf(client.connect())).toMatchObject({ code: 'UPSTREAM_PROTOCOL' });
  });
});

describe('real processes', () => {
  const startClient = (
    options: Parameters<typeof fakeServerCommand>[0],
    onLaunch?: (child: LaunchedProcess) => void,
  ) => {
    const { command, args } = fakeServerCommand({ tools: ['echo', 'pid'], ...options });
    return new McpClient({
      config: { mcp_server_type: 'stdio', command, args: [...args], env: { FAKE_SECRET: 'hush-hush' } },
      name: 'fake',
      launch: async (spec, launchOptions) => {
        const child = await launchProcess(spec, launchOptions);
        onLaunch?.(child);
        return child;
      },
    });
  };

  test('kill -9 again and again: the next call succeeds, and nothing is left behind', async () => {
    const children: LaunchedProcess[] = [];
    const before = held().length;
    await using client = startClient({}, (child) => children.push(child));
    for (let round = 0; round < 15; round += 1) {
      expect(textOf(await client.callTool('echo', { text: `round ${round}` }))).toBe(`round ${round}`);
      const child = children.at(-1);
      process.kill(child?.pid ?? 0, 'SIGKILL');
      await child?.exited;
    }
    expect(children).toHaveLength(15);
    await client.dispose();
    await expect.poll(() => held().length, { timeout: 30_000 }).toBeLessThanOrEqual(before);
  });

  test('a process that ends at once is named with its code and its last words, without secrets', async () => {
    await using client = startClient({ exitAtStart: 3, stderr: 'cannot open the database with hush-hush\n' });
    const failure = await failureOf(client.listTools());
    expect(failure).toMatchObject({
      code: 'PROCESS_EXITED',
      kind: 'process',
      details: { exit_code: 3, stderr_tail: 'cannot open the database with [redacted]' },
    });
  });

  test('a slow start is waited for', async () => {
    await using client = startClient({ startDelayMs: 700, eras: 'modern' });
    expect(textOf(await client.callTool('echo', { text: 'late' }))).toBe('late');
    expect(client.protocol?.era).toBe('modern');
  });

  test('a modern server that starts after the probe was given up is still recognised', async () => {
    const { command, args } = fakeServerCommand({ tools: ['echo'], eras: 'modern', startDelayMs: 700 });
    await using client = new McpClient({
      config: { mcp_server_type: 'stdio', command, args: [...args] },
      deadlines: { probeMs: 100, connectMs: 20_000 },
    });
    expect(textOf(await client.callTool('echo', { text: 'late' }))).toBe('late');
    expect(client.protocol?.era).toBe('modern');
  });
});
