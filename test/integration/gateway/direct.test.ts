import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_GUARD } from '../../../packages/plugboard/src/settings/guard-settings.js';
import { hubCall } from '../../support/hub-call.js';
import { startRealHub, type RealHub } from '../../support/real-hub.js';
import { type Answer, pathsOf, post, waysOf } from './relay-paths.js';
import { addServer, httpConfig } from './rig.js';
import { resultText, type ScriptedUpstream, scriptedUpstream, sendEvents, sendJson } from './scripted-upstream.js';

const LEGACY = '2025-11-25';
const MODERN = '2026-07-28';
const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Digits that a number of JavaScript would lose, and escapes that a second writing would change. */
const ODD = '{"big":12345678901234567890,"text":"caf\\u00e9 \\/","n":1.10}';

const PAGE = 'A line "with" escapes, and é.\n'.repeat(2200);

/** With escapes, a little more than 1 MiB as JSON. */
const LARGE = 'A line "with" escapes, and é.\n'.repeat(31_000);

const content = (text: string): object => ({ content: [{ type: 'text', text }] });
const ok = (response: ServerResponse, call: { readonly id: string | number }): void =>
  sendJson(response, resultText(call, content('fine')));

let slowAnswer: (() => void) | undefined;
let cuts = 0;

describe('a legacy client of a legacy server', () => {
  let hub: RealHub;
  let server: ScriptedUpstream;
  let session = '';
  let url: URL;
  const headers = (): Record<string, string> => ({ 'mcp-session-id': session, 'mcp-protocol-version': LEGACY });
  const call = (name: string, rest = '', id = '7', extra: Record<string, string> = {}): Promise<Answer> =>
    post(url, `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}"${rest}}}`, {
      ...headers(),
      ...extra,
    });

  beforeAll(async () => {
    server = await scriptedUpstream(
      'legacy',
      {
        plain: (asked, response) => ok(response, asked),
        stream: (asked, response) => sendEvents(response, resultText(asked, content('streamed'))),
        page: (asked, response) => sendJson(response, resultText(asked, content(PAGE))),
        odd: (asked, response) =>
          sendJson(response, `{"result":{"content":[],"structuredContent":${ODD}},"jsonrpc":"2.0","id":${asked.id}}`),
        bad: (asked, response) => sendJson(response, resultText(asked, { ...content('no'), isError: true })),
        refuses: (asked, response) =>
          sendJson(response, JSON.stringify({ jsonrpc: '2.0', id: asked.id, error: { code: -32602, message: 'bad' } })),
        noisy: (asked, response) =>
          sendEvents(
            response,
            JSON.stringify({
              jsonrpc: '2.0',
              method: 'notifications/progress',
              params: {
                progressToken: (asked.params['_meta'] as { progressToken: number }).progressToken,
                progress: 1,
              },
            }),
            resultText(asked, content('done')),
          ),
        logging: (asked, response) =>
          sendEvents(
            response,
            '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"x"}}',
            resultText(asked, content('done')),
          ),
        resumable: (asked, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const token = (asked.params['_meta'] as { progressToken: number }).progressToken;
          const params = { progressToken: token, progress: 1 };
          const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
          response.end(`id: 1\ndata: ${progress}\n\nid: 2\ndata: ${resultText(asked, content('done'))}\n\n`);
        },
        large: (asked, response) => sendJson(response, resultText(asked, content(LARGE))),
        huge: (asked, response) => sendJson(response, resultText(asked, content(LARGE + LARGE))),
        stranger: (asked, response) => sendJson(response, resultText({ id: `${asked.id}0` }, content('not yours'))),
        slow: (asked, response) => {
          slowAnswer = () => ok(response, asked);
        },
        cut: (_asked, response) => {
          cuts += 1;
          response.destroy();
        },
        ...Object.fromEntries(
          ['application/json', 'text/event-stream'].map((type) => [
            `breaks_off_${type.replaceAll(/\W/gu, '_')}`,
            (_asked: unknown, response: ServerResponse) => {
              cuts += 1;
              response.writeHead(200, { 'content-type': type }).write('{"jsonrpc":', () => response.destroy());
            },
          ]),
        ),
        safe: (asked, response) => {
          cuts += 1;
          if (cuts === 1) response.destroy();
          else ok(response, asked);
        },
        busy: (_asked, response) => response.writeHead(503).end(),
        task: (asked, response) => sendJson(response, resultText(asked, { task: { taskId: 't', status: 'working' } })),
      },
      { safe: { annotations: { readOnlyHint: true } } },
    );
    hub = await startRealHub();
    await addServer(hub, 'legacy', httpConfig(server.url));
    url = new URL('/servers/legacy/mcp', hub.url);
    const greeting = { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
    const opened = await post(
      url,
      JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: greeting }),
      {},
    );
    session = opened.session ?? '';
    // The first call opens the connection of this client.
    await call('plain');
  });
  afterAll(async () => {
    await hub.close();
    await server[Symbol.asyncDispose]();
  });

  it('takes the fast path, and keeps its id', async () => {
    const ways = await waysOf(hub, async () => {
      expect(JSON.parse((await call('plain', '', '"my \\"id\\""')).text)).toEqual({
        jsonrpc: '2.0',
        id: 'my "id"',
        result: content('fine'),
      });
      const answer = await call('stream');
      expect(answer.type).toBe('application/json');
      expect(JSON.parse(answer.text)).toMatchObject({ id: 7, result: content('streamed') });
    });
    expect(ways).toEqual({ fast: 2 });
    expect(new Set(server.calls.map(({ id }) => id)).size).toBe(server.calls.length);
  });

  it('takes the fast path with an answer of 64 KiB', async () => {
    const ways = await waysOf(hub, async () => {
      expect(JSON.parse((await call('page')).text)).toMatchObject({ id: 7, result: content(PAGE) });
    });
    expect(ways).toEqual({ fast: 1 });
  });

  it('takes the fast path with an answer of 1 MiB, several at once', async () => {
    const ways = await waysOf(hub, async () => {
      const answers = await Promise.all(['"a"', '2', '"three"'].map((id) => call('large', '', id)));
      expect(answers.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
        ['a', 2, 'three'].map((id) => ({ jsonrpc: '2.0', id, result: content(LARGE) })),
      );
    });
    expect(ways).toEqual({ fast: 3 });
  });

  it('takes the fast path with progress, which is told in order and under the token of the client', async () => {
    const ways = await waysOf(hub, async () => {
      const { text, type } = await call('noisy', ',"_meta":{"progressToken":"mine"}');
      expect(type).toBe('text/event-stream');
      expect(text).toMatch(/notifications\/progress.*"progressToken":"mine".*"id":7,.*done/su);
    });
    expect(ways).toEqual({ fast: 1 });
  });

  it('gets and gives every byte as it was', async () => {
    const answer = await call('odd', `, "arguments": ${ODD}`);
    expect(answer.text).toBe(`{"result":{"content":[],"structuredContent":${ODD}},"jsonrpc":"2.0","id":7}`);
    expect(server.calls.at(-1)?.text).toContain(`"arguments": ${ODD}`);
  });

  it('is counted, written down and traced like any other', async () => {
    await call('bad', ',"arguments":{"secret":"value"}', '1', { traceparent: TRACE });
    expect(server.calls.at(-1)?.headers['traceparent']).toBe(TRACE);
    expect(server.calls.at(-1)?.params['_meta']).toEqual({ traceparent: TRACE });
    const { json } = await hubCall(hub.url, 'GET', '/v1/audit?kind=call&limit=1');
    expect(json).toMatchObject([
      {
        target: 'legacy/bad',
        outcome: 'tool_error',
        details: { arguments: { secret: 'text of 5 characters' }, trace_id: TRACE.slice(3, 35) },
      },
    ]);
    const summary = (await hubCall(hub.url, 'GET', '/v1/calls')).json as { tools: { tool: string; count: number }[] };
    expect(summary.tools.find(({ tool }) => tool === 'bad')).toMatchObject({ count: 1, tool_errors: 1 });
  });

  it.each([
    ['an error', 'refuses', /"code":-32602/u],
    ['log messages before the result', 'logging', /notifications\/message.*done/su],
    ['progress that can be resumed', 'resumable', /notifications\/progress.*"progressToken":"mine".*done/su],
    ['an answer that is too large', 'huge', /^\{"jsonrpc":"2\.0","id":7,/u],
    ['an answer to somebody else', 'stranger', /"error"/u],
    ['a refusal by HTTP', 'busy', /"error"/u],
    ['a task', 'task', /taskId/u],
  ])('is taken over from the middle for %s, and sent once', async (_what, name, expected) => {
    const sent = server.calls.length;
    const ways = await waysOf(hub, async () => {
      expect((await call(name, ',"_meta":{"progressToken":"mine"}')).text).toMatch(expected);
    });
    expect(ways).toEqual({ unusual: 1 });
    expect(server.calls.length).toBe(sent + 1);
  });

  it('waits on the full path for what takes long, without sending it again', async () => {
    const sent = server.calls.length;
    const { unusual = 0 } = await pathsOf(hub);
    const ways = await waysOf(hub, async () => {
      const answer = call('slow');
      await expect.poll(async () => (await pathsOf(hub))['unusual'], { timeout: 20_000 }).toBeGreaterThan(unusual);
      slowAnswer?.();
      expect((await answer).text).toContain('fine');
    });
    expect(ways).toEqual({ unusual: 1 });
    expect(server.calls.length).toBe(sent + 1);
  });

  it('hears that it is not known what happened, when the connection breaks; the call is not repeated', async () => {
    cuts = 0;
    expect((await call('cut')).text).toContain('AMBIGUOUS_DELIVERY');
    expect(cuts).toBe(1);
  });

  it.each(['application_json', 'text_event_stream'])(
    'hears the same when the answer breaks off midway, and the hub lives on: %s',
    async (type) => {
      cuts = 0;
      expect((await call(`breaks_off_${type}`)).text).toContain('AMBIGUOUS_DELIVERY');
      expect(cuts).toBe(1);
      expect((await call('plain')).text).toContain('fine');
    },
  );

  it('gets the answer of a second try where that can do no harm', async () => {
    cuts = 0;
    expect((await call('safe')).text).toContain('fine');
    expect(cuts).toBe(2);
  });

  it('does not notice that the server forgot its session', async () => {
    server.forget();
    const sent = server.calls.length;
    const answers = await Promise.all(['1', '2', '3'].map((id) => call('plain', '', id)));
    for (const { text } of answers) expect(text).toContain('fine');
    // What was refused was not executed; each was executed once, in one new session.
    expect(server.calls.length).toBe(sent + 3);
    expect(new Set(server.calls.slice(-3).map(({ headers: sentWith }) => sentWith['mcp-session-id'])).size).toBe(1);
    expect(await waysOf(hub, () => call('plain'))).toEqual({ fast: 1 });
  });

  it('can take a call back', async () => {
    const gone = new AbortController();
    const body = '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"slow"}}';
    const answer = post(url, body, headers(), gone.signal).catch(() => 'gone');
    await expect.poll(() => server.calls.at(-1)?.name).toBe('slow');
    gone.abort();
    expect(await answer).toBe('gone');
    await expect.poll(() => server.notes).toContain('notifications/cancelled');
    const taken = post(url, body, headers());
    await expect.poll(() => server.calls.filter(({ name }) => name === 'slow').length).toBe(3);
    await post(url, '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}', headers());
    expect((await taken).status).toBe(202);
  });

  it.each([
    ['members that the hub must understand', ',"task":{"ttl":1}', '7', 'message'],
    ['an id that is no whole number', '', '1.5', 'message'],
    ['what is no JSON', ',', '7', 'message'],
  ])('takes the full path for %s', async (_what, rest, id, reason) => {
    expect(await waysOf(hub, () => call('plain', rest, id))).toEqual({ [reason]: 1 });
  });

  it('takes the full path for tools that are not offered and sessions that are not there', async () => {
    const ways = await waysOf(hub, async () => {
      expect((await call('nothing')).text).toContain('TOOL_NOT_FOUND');
      expect((await call('plain', '', '7', { 'mcp-session-id': 'unknown' })).status).toBe(404);
    });
    expect(ways).toEqual({ tool: 1, session: 1 });
  });

  it('reaches the same server under another name by the endpoint of all servers', async () => {
    const all = new URL('/mcp', hub.url);
    const named = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"legacy__plain"}}';
    const list = await post(all, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', {});
    const name = /"name":"([^"]*plain)"/u.exec(list.text)?.[1] ?? '';
    const body = named.replace('legacy__plain', name);
    await post(all, body, {});
    expect(await waysOf(hub, async () => expect((await post(all, body, {})).text).toContain('fine'))).toEqual({
      fast: 1,
    });
    expect(server.calls.at(-1)?.name).toBe('plain');
  });

  it('serves a modern client on the fast path, with another envelope', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'plain', _meta: meta } };
    const modern = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'plain' };
    // The first call opens the connection of clients without sessions.
    await post(url, JSON.stringify(body), modern);
    const ways = await waysOf(hub, async () => {
      expect(JSON.parse((await post(url, JSON.stringify(body), modern)).text)).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          ...content('fine'),
          _meta: { 'io.modelcontextprotocol/serverInfo': expect.anything() as unknown },
        },
      });
    });
    expect(ways).toEqual({ fast: 1 });
    expect(server.calls.at(-1)?.params).toEqual({ name: 'plain' });
  });
});

describe('a modern client of a modern server', () => {
  let hub: RealHub;
  let server: ScriptedUpstream;
  let url: URL;
  const complete = (text: string): object => ({ resultType: 'complete', ...content(text) });
  const call = (name: string, changes: Record<string, unknown> = {}, extra: Record<string, string> = {}) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...changes,
    };
    const body = { jsonrpc: '2.0', id: 'one', method: 'tools/call', params: { name, arguments: {}, _meta: meta } };
    const fields = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name, ...extra };
    return post(url, JSON.stringify(body), fields);
  };

  beforeAll(async () => {
    server = await scriptedUpstream(
      'modern',
      {
        plain: (asked, response) => sendJson(response, resultText(asked, complete('fine'))),
        stream: (asked, response) => sendEvents(response, resultText(asked, complete('streamed'))),
        asks: (asked, response) =>
          sendJson(response, resultText(asked, { resultType: 'input_required', inputRequests: {}, requestState: 'x' })),
        page: (asked, response) => sendJson(response, resultText(asked, complete(PAGE))),
        large: (asked, response) => sendJson(response, resultText(asked, complete(LARGE))),
        noisy: (asked, response) => {
          const { progressToken } = asked.params['_meta'] as { progressToken: string };
          const progress = [1, 2, 3].map((count) => ({ progressToken, progress: count }));
          const told = progress.map((params) => ({ jsonrpc: '2.0', method: 'notifications/progress', params }));
          sendEvents(response, ...told.map((one) => JSON.stringify(one)), resultText(asked, complete('done')));
        },
        untyped: (asked, response) => sendJson(response, resultText(asked, content('old'))),
        region: (asked, response) => sendJson(response, resultText(asked, complete('fine'))),
      },
      {
        region: {
          inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
        },
      },
    );
    hub = await startRealHub({ settings: { guard: { ...DEFAULT_GUARD, limits: { tool: { perMinute: 30 } } } } });
    await addServer(hub, 'modern', httpConfig(server.url));
    url = new URL('/servers/modern/mcp', hub.url);
    await call('plain');
  });
  afterAll(async () => {
    await hub.close();
    await server[Symbol.asyncDispose]();
  });

  it('takes the fast path, also when it is asked for input', async () => {
    const ways = await waysOf(hub, async () => {
      expect(JSON.parse((await call('plain')).text)).toEqual({ jsonrpc: '2.0', id: 'one', result: complete('fine') });
      expect((await call('stream')).text).toContain('streamed');
      expect((await call('asks')).text).toContain('input_required');
    });
    expect(ways).toEqual({ fast: 3 });
    expect(server.calls.at(-1)?.headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'asks' });
  });

  it('takes the fast path with answers of 64 KiB and 1 MiB, several at once', async () => {
    const ways = await waysOf(hub, async () => {
      const answers = await Promise.all(['page', 'large', 'large', 'page'].map((name) => call(name)));
      expect(answers.map(({ text }) => JSON.parse(text) as unknown)).toEqual(
        [PAGE, LARGE, LARGE, PAGE].map((text) => ({ jsonrpc: '2.0', id: 'one', result: complete(text) })),
      );
    });
    expect(ways).toEqual({ fast: 4 });
  });

  it('takes the fast path with progress, which is told in order and under the token of the client', async () => {
    const ways = await waysOf(hub, async () => {
      const { text, type } = await call('noisy', { progressToken: 'mine' });
      expect(type).toBe('text/event-stream');
      expect(text).toMatch(/"progress":1.*"progress":2.*"progress":3.*"id":"one".*done/su);
      expect(text.match(/"progressToken":"mine"/gu)).toHaveLength(3);
    });
    expect(ways).toEqual({ fast: 1 });
  });

  it('takes the full path for what has to be checked or completed', async () => {
    const ways = await waysOf(hub, async () => {
      expect((await call('untyped')).text).toContain('"resultType":"complete"');
      expect((await call('plain', {}, { 'mcp-name': 'other' })).status).toBe(400);
      expect((await call('plain', {}, { 'mcp-param-x': '1' })).text).toContain('fine');
      expect((await call('region')).text).toContain('fine');
    });
    expect(ways).toEqual({ unusual: 1, message: 1, 'param-headers': 2 });
  });

  it('serves a legacy session on the fast path, with another envelope', async () => {
    const greeting = {
      protocolVersion: LEGACY,
      capabilities: { roots: {} },
      clientInfo: { name: 'raw', version: '1' },
    };
    const opening = { jsonrpc: '2.0', id: 0, method: 'initialize', params: greeting };
    const { session } = await post(url, JSON.stringify(opening), {});
    const fields = { 'mcp-session-id': session ?? '', 'mcp-protocol-version': LEGACY };
    const ask = (name: string): Promise<Answer> => {
      const body = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name, arguments: { a: 1 } } };
      return post(url, JSON.stringify(body), fields);
    };
    await ask('plain');
    const ways = await waysOf(hub, async () => {
      for (const [name, text] of Object.entries({ plain: 'fine', stream: 'streamed' })) {
        const answer = { jsonrpc: '2.0', id: 3, result: content(text) };
        expect(JSON.parse((await ask(name)).text)).toEqual(answer);
      }
    });
    expect(ways).toEqual({ fast: 2 });
    const { params, headers } = server.calls.at(-1) ?? {};
    expect(headers).toMatchObject({ 'mcp-method': 'tools/call', 'mcp-name': 'stream', 'mcp-protocol-version': MODERN });
    expect(params).toEqual({
      name: 'stream',
      arguments: { a: 1 },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': MODERN,
        'io.modelcontextprotocol/clientInfo': greeting.clientInfo,
        'io.modelcontextprotocol/clientCapabilities': { roots: {} },
        'io.modelcontextprotocol/logLevel': 'info',
      },
    });
    const asking = await waysOf(hub, async () => expect((await ask('untyped')).text).toContain('old'));
    expect(asking).toEqual({ unusual: 1 });
  });

  it('is refused beyond the limits, whichever way it takes', async () => {
    let refused = '';
    const ways = await waysOf(hub, async () => {
      for (let count = 0; count < 20 && refused === ''; count += 1) {
        const { text } = await call('plain');
        if (text.includes('RATE_LIMITED')) refused = text;
      }
    });
    expect(refused).toContain('RATE_LIMITED');
    expect(ways).toMatchObject({ limit: 1 });
  });
});
