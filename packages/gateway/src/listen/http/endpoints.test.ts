import { afterEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../../gateway.js';
import { greeting, openEndpoints } from '../../test-support/open-endpoints.js';
import type { RecordingClientOptions } from '../../test-support/recording-client.js';

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

const endpoints = (...how: Parameters<typeof openEndpoints>) => {
  const opened = openEndpoints(...how);
  ({ gateway } = opened);
  return opened;
};

describe('a legacy client over HTTP', () => {
  it('opens a session, calls, tells, and ends it', async () => {
    const { post, rpc, open, send, ended } = endpoints();
    const session = await open();
    expect((await post(rpc('tools/call', { name: 'files__read' }), session)).json()).toMatchObject({
      result: { content: [] },
    });
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)).response.statusCode).toBe(
      202,
    );
    expect((await post({ jsonrpc: '2.0', id: 7, result: {} }, session)).response.statusCode).toBe(202);
    expect((await ended(send('/mcp', { method: 'DELETE', headers: session }))).response.statusCode).toBe(200);
    expect((await post(rpc('ping'), session)).response.statusCode).toBe(404);
  });

  it('hears on its stream what belongs to no request, until the hub stops', async () => {
    const { open, send, ended } = endpoints();
    const session = await open();
    const stream = send('/mcp', { method: 'GET', headers: session });
    await expect.poll(() => stream.text()).toContain('text/event-stream');
    expect(stream.response.writableEnded).toBe(false);
    gateway?.beginStopping();
    await ended(stream);
  });

  it('gets progress before its result as a stream that can be resumed', async () => {
    const { post, rpc, open } = endpoints(({ options }) => {
      options.onProgress?.({ progress: 1 }, { progress: 1 });
      return { content: [] };
    });
    const session = await open();
    const answer = await post(rpc('tools/call', { name: 'files__read', _meta: { progressToken: 'p' } }), session);
    expect(answer.text()).toMatch(/id: \S+[\s\S]+notifications\/progress[\s\S]+"content":\[\]/u);
  });

  it('may do without a session, and send batches where its revision has them', async () => {
    const { post, rpc, open } = endpoints();
    expect((await post(rpc('tools/list'))).json()).toMatchObject({ result: { tools: [{ name: 'files__read' }] } });
    const old = await open('2025-03-26');
    const batch = [rpc('ping', {}, 1), rpc('ping', {}, 2), { jsonrpc: '2.0', method: 'notifications/initialized' }];
    expect((await post(batch, old)).text()).toContain('[{"jsonrpc":"2.0","id":1,"result":{}}');
    expect((await post([{ jsonrpc: '2.0', method: 'notifications/x' }], old)).response.statusCode).toBe(202);
    expect((await post(batch, await open())).response.statusCode).toBe(400);
  });

  it('that hangs up before its answer takes the request back', async () => {
    let aborted = false;
    const { send, rpc } = endpoints(
      ({ options }) =>
        new Promise((resolve) => {
          options.signal?.addEventListener('abort', () => {
            aborted = true;
            resolve({});
          });
        }),
    );
    const calling = send('/servers/files/mcp', { body: rpc('tools/call', { name: 'read' }) });
    await new Promise((next) => setImmediate(next));
    calling.hangUp();
    await expect.poll(() => aborted).toBe(true);
  });
});

describe('a modern client over HTTP', () => {
  const MODERN: RecordingClientOptions = { protocol: { era: 'modern', revision: '2026-07-28' } };

  it('discovers, calls, and is refused with the right status', async () => {
    const { post, modern } = endpoints(() => ({ resultType: 'complete', content: [] }), MODERN);
    const send = ({ body, headers }: { body: object; headers: Record<string, string> }) => post(body, headers);
    expect((await send(modern('server/discover'))).json()).toMatchObject({ result: { resultType: 'complete' } });
    const call = modern('tools/call', { name: 'files__read' });
    expect((await send(call)).json()).toMatchObject({ result: { content: [] } });
    expect((await send({ ...call, headers: { ...call.headers, 'mcp-name': 'other' } })).response.statusCode).toBe(400);
    expect((await send(modern('no/such'))).response.statusCode).toBe(404);
    expect((await send({ ...call, body: { ...call.body, params: { _meta: {} } } })).response.statusCode).toBe(400);
    const told = { jsonrpc: '2.0', method: 'notifications/cancelled', params: call.body.params };
    expect((await post(told, call.headers)).response.statusCode).toBe(202);
    expect(
      (await post({ jsonrpc: '2.0', id: 1, result: {} }, { 'mcp-protocol-version': '2026-07-28' })).response.statusCode,
    ).toBe(400);
    expect((await post([call.body], call.headers)).response.statusCode).toBe(400);
  });
});

describe('a client of HTTP+SSE', () => {
  it('gets its endpoint first, and its answers on the stream', async () => {
    const { send, rpc, openSse, ended } = endpoints();
    const { stream, path, tell } = await openSse();
    expect(path).toContain('/servers/files/messages?sessionId=');
    expect((await tell(rpc('initialize', greeting('2024-11-05')))).response.statusCode).toBe(202);
    await expect.poll(() => stream.text()).toContain('"protocolVersion":"2024-11-05"');
    expect((await tell('nonsense')).response.statusCode).toBe(400);
    expect((await ended(send(path, { method: 'GET' }))).response.statusCode).toBe(405);
    expect((await ended(send('/servers/files/sse', { body: {} }))).response.statusCode).toBe(405);
    expect((await ended(send('/messages?sessionId=x', { body: rpc('ping') }))).response.statusCode).toBe(404);
    stream.hangUp();
    await expect.poll(() => gateway?.sessionCount()).toBe(0);
  });
});

describe('what is no message', () => {
  it.each([
    ['nothing', undefined, 400],
    ['no JSON', '{', 400],
    ['an empty batch', [], 400],
    ['no envelope', { hello: 1 }, 400],
    ['too much', 'x'.repeat(3000), 413],
  ])('%s is refused', async (_what, body, status) => {
    const { ended, send } = endpoints();
    expect((await ended(send('/mcp', { body }))).response.statusCode).toBe(status);
  });

  it('too much is refused with the limit', async () => {
    const { ended, send } = endpoints();
    const answer = await ended(send('/mcp', { body: 'x'.repeat(3000) }));
    expect(answer.json()).toMatchObject({
      error: { data: { code: 'PAYLOAD_TOO_LARGE', details: { limit_bytes: 2000 } } },
    });
  });

  it('other verbs, and streams without a session, are refused', async () => {
    const { ended, send } = endpoints();
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await ended(send('/mcp', { method }));
      expect(answer.response.statusCode).toBe(405);
      expect(answer.text()).toContain('allow: POST');
    }
    const { response } = await ended(
      send('/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'ping' },
        headers: { 'mcp-protocol-version': '1999-01-01' },
      }),
    );
    expect(response.statusCode).toBe(400);
  });

  it('servers and toolsets that are not there are refused', async () => {
    const { ended, send } = endpoints();
    expect((await ended(send('/servers/nobody/mcp', { body: {} }))).response.statusCode).toBe(404);
    expect((await ended(send('/toolsets/nothing/mcp', { body: {} }))).response.statusCode).toBe(404);
  });
});
