import { Secret } from '@plugboard/contract';
import { buildNotification, buildRequest, buildResult, revisionOf } from '@plugboard/wire';
import { describe, expect, test } from 'vitest';
import { eventOf, scriptedDispatcher, type Script } from '../test-support/scripted-dispatcher.js';
import { HttpChannel } from './http-channel.js';
import { StreamableHttpTransport } from './streamable-http.js';
import type { Exchange, Incoming, TransportEvents } from './transport.js';

const { signal } = new AbortController();

const rig = (script: Script, options: { sessionId?: string; keepSession?: boolean } = {}) => {
  const scripted = scriptedDispatcher(script);
  const incoming: Incoming[] = [];
  const lost: unknown[] = [];
  const events: TransportEvents = {
    onIncoming: (message) => incoming.push(message),
    onLost: (cause) => lost.push(cause),
  };
  const channel = new HttpChannel({ dispatcher: scripted.dispatcher, headers: { 'x-key': Secret.of('k') } });
  const transport = new StreamableHttpTransport({
    channel,
    url: new URL('http://host:1/mcp?a=b'),
    events,
    redact: (text) => text,
    ...options,
  });
  return { ...scripted, transport, incoming, lost, channel };
};

const exchange = (change: Partial<Exchange> = {}): Exchange => ({ signal, onIncoming: () => undefined, ...change });

async function* stream(...pieces: readonly string[]): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
  }
}

describe('requests', () => {
  test('carry the fields of the config, the revision and the session', async () => {
    const { transport, seen } = rig(() => ({
      body: buildResult(1, { ok: true }),
      headers: { 'mcp-session-id': 's1' },
    }));
    await transport.request(buildRequest(1, 'initialize'), exchange());
    transport.adopt(revisionOf('2025-06-18'));
    await transport.request(buildRequest(1, 'tools/list'), exchange({ headers: { 'idempotency-key': 'i' } }));
    expect(seen[0]?.headers).toEqual({
      'x-key': 'k',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
    expect(seen[1]).toMatchObject({
      path: '/mcp?a=b',
      headers: { 'MCP-Protocol-Version': '2025-06-18', 'mcp-session-id': 's1', 'idempotency-key': 'i' },
    });
    expect(transport.sessionId).toBe('s1');
  });

  test('are answered by JSON, also in a batch with other messages', async () => {
    const heard: string[] = [];
    const { transport } = rig(() => ({ body: [buildNotification('n'), buildResult(1, 'x')] }));
    const response = await transport.request(
      buildRequest(1, 'a'),
      exchange({ onIncoming: ({ message }) => heard.push(message.method) }),
    );
    expect(response).toEqual(buildResult(1, 'x'));
    expect(heard).toEqual(['n']);
  });

  test.each([
    { id: '1', result: 'x' },
    { id: null, error: { code: 1, message: 'x' } },
    { error: { code: 1, message: 'x' } },
  ])('are answered by %j, as some servers write it', async (answer) => {
    const body = { jsonrpc: '2.0', ...answer };
    const { transport } = rig(() => ({ body }));
    expect(await transport.request(buildRequest(1, 'a'), exchange())).toEqual(body);
  });

  test('are answered by a stream, with messages before the answer', async () => {
    const heard: string[] = [];
    let chunks = 0;
    const { transport } = rig(() => ({
      body: stream(
        ': hello\n\n',
        eventOf(buildNotification('n')),
        eventOf(buildResult(99, 'not mine')),
        'event: other\ndata: x\n\n',
        'data: rubbish\n\n',
        eventOf(buildResult(1, 'x')),
      ),
    }));
    const response = await transport.request(
      buildRequest(1, 'a'),
      exchange({ onIncoming: ({ message }) => heard.push(message.method), onActivity: () => (chunks += 1) }),
    );
    expect(response).toEqual(buildResult(1, 'x'));
    expect(heard).toEqual(['n']);
    expect(chunks).toBeGreaterThan(0);
  });

  test.each([
    ['nothing', { body: '' }, 'UPSTREAM_PROTOCOL'],
    ['a page', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'UPSTREAM_NOT_MCP'],
    ['JSON that is no message', { body: {} }, 'UPSTREAM_PROTOCOL'],
    ['an answer to somebody else', { body: buildResult(99, 'private') }, 'UPSTREAM_PROTOCOL'],
    ['401', { status: 401, headers: { 'www-authenticate': 'Bearer' } }, 'UPSTREAM_AUTH'],
    ['429', { status: 429, headers: { 'retry-after': '1' } }, 'RATE_LIMITED'],
    ['404 before the handshake', { status: 404 }, 'UPSTREAM_WRONG_URL'],
    ['500', { status: 500, body: 'oops' }, 'UPSTREAM_UNAVAILABLE'],
  ])('answered by %s fail', async (_what, answer, code) => {
    const { transport } = rig(() => answer);
    await expect(transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({ code });
  });

  test('a JSON-RPC error under an error status is the answer', async () => {
    const failure = { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'unknown' } };
    const { transport } = rig(() => ({ status: 404, body: failure }));
    transport.adopt(revisionOf('2026-07-28'));
    expect(await transport.request(buildRequest(1, 'a'), exchange())).toEqual(failure);
  });

  test('a stream that ends without the answer fails at once, and one with ids is taken up again', async () => {
    const broken = rig(() => ({ body: stream(eventOf(buildNotification('n'), '1')) }));
    broken.transport.adopt(revisionOf('2026-07-28'));
    await expect(broken.transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({
      code: 'UPSTREAM_CLOSED',
      delivery: 'ambiguous',
    });
    const resumed = rig(({ method }) => ({
      body:
        method === 'POST'
          ? stream('retry: 1\n\n', eventOf(buildNotification('n'), '1'))
          : stream(eventOf(buildResult(1, 'x'), '2')),
    }));
    resumed.transport.adopt(revisionOf('2025-11-25'));
    expect(await resumed.transport.request(buildRequest(1, 'a'), exchange())).toEqual(buildResult(1, 'x'));
    expect(resumed.seen[1]).toMatchObject({ method: 'GET', headers: { 'last-event-id': '1' } });
  });

  test('a stream that can never be taken up again is given up', async () => {
    const { transport, seen } = rig(({ method }) =>
      method === 'POST' ? { body: stream('retry: 1\n\n', 'id: 7\ndata:\n\n') } : { body: stream() },
    );
    transport.adopt(revisionOf('2025-11-25'));
    await expect(transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({
      code: 'UPSTREAM_CLOSED',
    });
    expect(seen.length).toBeLessThanOrEqual(4);
    const refused = rig(({ method }) =>
      method === 'POST' ? { body: stream('retry: 1\n\nid: 7\ndata:\n\n') } : { status: 405 },
    );
    refused.transport.adopt(revisionOf('2025-11-25'));
    await expect(refused.transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({
      code: 'UPSTREAM_CLOSED',
    });
  });

  test('an aborted signal ends the wait for headers and for the body', async () => {
    const never = rig(() => new Promise(() => undefined));
    const controller = new AbortController();
    const waiting = never.transport.request(buildRequest(1, 'a'), exchange({ signal: controller.signal }));
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED', delivery: 'ambiguous' });
    const endless = rig(() => ({
      body: (async function* drip() {
        yield ': one\n\n';
        await new Promise(() => undefined);
      })(),
    }));
    const second = new AbortController();
    const reading = endless.transport.request(
      buildRequest(1, 'a'),
      exchange({ signal: second.signal, onActivity: () => second.abort() }),
    );
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED', delivery: 'ambiguous' });
  });
});

describe('lost sessions', () => {
  const established = (script: Script) => {
    const made = rig(script, { sessionId: 's1' });
    made.transport.adopt(revisionOf('2025-11-25'));
    return made;
  };

  test.each([
    ['404', { status: 404 }],
    ['404 with a text', { status: 404, body: 'Session not found' }],
    [
      '400 that speaks of one',
      { status: 400, body: { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No valid session' } } },
    ],
    ['-32001 in 200', { body: { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Session not found' } } }],
  ])('%s', async (_what, answer) => {
    const { transport, seen } = established(() => answer);
    await expect(transport.request(buildRequest(1, 'a'), exchange())).rejects.toMatchObject({
      code: 'SESSION_LOST',
      delivery: 'not-executed',
    });
    await transport.close();
    expect(seen.map(({ method }) => method)).toEqual(['POST']);
  });

  test.each([200, 405, 500])('closing says DELETE once, and takes %i for an answer', async (status) => {
    const { transport, seen } = established(() => ({ status }));
    await transport.close();
    await transport.close();
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: 'DELETE',
      headers: { 'mcp-session-id': 's1', 'MCP-Protocol-Version': '2025-11-25' },
    });
  });

  test('closing survives a server that is gone, and can leave the session open', async () => {
    const gone = established(() => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })));
    await expect(gone.transport.close()).resolves.toBeUndefined();
    const kept = rig(() => ({}), { sessionId: 's1', keepSession: true });
    await kept.transport.close();
    expect(kept.seen).toEqual([]);
  });
});

describe('notifications', () => {
  test('are posted; a refusal is an error', async () => {
    const fine = rig(() => ({ status: 202 }));
    await expect(fine.transport.send(buildNotification('n'), signal)).resolves.toBeUndefined();
    await expect(fine.transport.send(buildResult(1, {}), signal)).resolves.toBeUndefined();
    const bad = rig(() => ({ status: 400 }));
    await expect(bad.transport.send(buildNotification('n'), signal)).rejects.toMatchObject({
      code: 'UPSTREAM_PROTOCOL',
    });
  });
});

describe("the server's own stream", () => {
  test('is not there: 405 is fine, 404 is a lost session', async () => {
    const none = rig(() => ({ status: 405 }));
    await none.transport.listen(signal);
    expect(none.lost).toEqual([]);
    const lost = rig(() => ({ status: 404 }));
    await lost.transport.listen(signal);
    expect(lost.lost).toEqual([expect.objectContaining({ code: 'SESSION_LOST' })]);
  });

  test('brings messages, and is opened again where it broke', async () => {
    const controller = new AbortController();
    let opened = 0;
    const { transport, seen, incoming } = rig(() => {
      opened += 1;
      if (opened === 3) controller.abort();
      return { body: stream('retry: 1\n\n', eventOf(buildNotification(`n${opened}`), `e${opened}`), 'data: \n\n') };
    });
    await transport.listen(controller.signal);
    expect(incoming.map(({ message }) => message.method).slice(0, 2)).toEqual(['n1', 'n2']);
    expect(seen.map(({ headers }) => headers['last-event-id']).slice(0, 3)).toEqual([undefined, 'e1', 'e2']);
  });

  test('that fails again and again is given up', async () => {
    let opened = 0;
    const { transport } = rig(() => {
      opened += 1;
      return { body: stream('retry: 1\n\n') };
    });
    await transport.listen(signal);
    expect(opened).toBe(3);
  });
});

describe('HttpChannel', () => {
  const ask = { method: 'POST' as const, url: new URL('http://host:1/a'), headers: {}, body: () => '{}', signal };

  test('follows redirects that keep the method inside the origin, a few times', async () => {
    const { dispatcher, seen } = scriptedDispatcher(({ path }) =>
      path === '/c' ? {} : { status: 307, headers: { location: path === '/a' ? '/b' : '/c' } },
    );
    const channel = new HttpChannel({ dispatcher, headers: {} });
    expect((await channel.ask(ask)).status).toBe(200);
    expect(seen.map(({ path }) => path)).toEqual(['/a', '/b', '/c']);
    const loop = scriptedDispatcher(() => ({ status: 308, headers: { location: '/a' } }));
    expect((await new HttpChannel({ dispatcher: loop.dispatcher, headers: {} }).ask(ask)).status).toBe(308);
    expect(loop.seen).toHaveLength(4);
  });

  test.each(['http://evil:1/a', 'https://host:1/a', undefined, 'http://['])('does not follow %s', async (location) => {
    const { dispatcher, seen } = scriptedDispatcher(() => ({
      status: 307,
      headers: location === undefined ? {} : { location },
    }));
    expect((await new HttpChannel({ dispatcher, headers: {} }).ask(ask)).status).toBe(307);
    expect(seen).toHaveLength(1);
  });

  test('asks for new credentials once after 401', async () => {
    let token = 'old';
    const { dispatcher, seen } = scriptedDispatcher(({ headers }) => ({
      status: headers['authorization'] === 'new' ? 200 : 401,
    }));
    const credentials = {
      headers: async () => ({ authorization: token }),
      refresh: async () => {
        token = 'new';
        return true;
      },
    };
    expect((await new HttpChannel({ dispatcher, headers: {}, credentials }).ask(ask)).status).toBe(200);
    expect(seen).toHaveLength(2);
    const stubborn = { headers: async () => ({ authorization: 'old' }), refresh: async () => false };
    expect((await new HttpChannel({ dispatcher, headers: {}, credentials: stubborn }).ask(ask)).status).toBe(401);
  });

  test('closes its connections', async () => {
    const { channel, destroyed } = rig(() => ({}));
    await channel.close();
    expect(destroyed()).toBe(true);
  });
});
