import { PassThrough } from 'node:stream';
import { META, rawLineClient } from '@plugboard/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { HubAddress } from './hub-address.js';
import { runProxy } from './stdio-proxy.js';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly id?: number | string; readonly method?: string; readonly params?: unknown };
  readonly signal: AbortSignal | undefined;
}

type Answer = (sent: Sent) => Response | Promise<Response>;

const SSE = { 'content-type': 'text/event-stream' };

const result = (id: unknown, value: unknown, headers: Record<string, string> = {}): Response =>
  Response.json({ jsonrpc: '2.0', id, result: value }, { headers });

const refused = (): never => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
};

/** A hub that answers from memory, and the client at the other end of the pipes. */
const proxied = (answer: Answer, hubs: readonly (HubAddress | undefined)[] = [{ url: 'http://hub', key: 'k' }]) => {
  const [stdin, stdout, stop] = [new PassThrough(), new PassThrough(), new AbortController()];
  const sent: Sent[] = [];
  let looked = 0;
  const served = runProxy({
    findHub: async () => hubs[Math.min(looked++, hubs.length - 1)],
    fetch: async (url, options = {}) => {
      const request = {
        url: url as string,
        method: options.method ?? 'GET',
        headers: options.headers as Record<string, string>,
        body: (typeof options.body === 'string' ? JSON.parse(options.body) : {}) as Sent['body'],
        signal: options.signal ?? undefined,
      };
      sent.push(request);
      return answer(request);
    },
    path: '/mcp',
    input: stdin,
    output: stdout,
    signal: stop.signal,
  }).then(() => stdout.end());
  onTestFinished(async () => {
    stop.abort();
    await served;
  });
  return { client: rawLineClient({ stdin, stdout }), stdin, served, sent };
};

const modern = {
  [META.protocolVersion]: '2026-07-28',
  [META.clientCapabilities]: {},
  [META.clientInfo]: { name: 'c', version: '1' },
};

const greeting = (version: string) => ({
  protocolVersion: version,
  capabilities: {},
  serverInfo: { name: 'hub', version: '1' },
});

/** Answers like a hub of the legacy era; the rest is up to the test. */
const legacyHub =
  (rest: Answer, version = '2025-11-25'): Answer =>
  (sent) => {
    if (sent.body.method === 'initialize') {
      return result(sent.body.id, greeting(version), { 'mcp-session-id': 'session-1' });
    }
    if (sent.method === 'DELETE' || sent.body.method === 'notifications/initialized') {
      return new Response(null, { status: 202 });
    }
    return rest(sent);
  };

const noStream = (): Response => new Response(null, { status: 405 });

it('opens a session, names it in every message, and ends it with the client', async () => {
  const { client, stdin, served, sent } = proxied(
    legacyHub((request) => (request.method === 'GET' ? noStream() : result(request.body.id, { tools: [] }))),
  );
  await client.initialize('2025-11-25', {});
  expect((await client.request('tools/list', {}))?.result).toEqual({ tools: [] });
  stdin.end();
  await served;
  const list = sent.find(({ body }) => body.method === 'tools/list');
  expect(list).toMatchObject({ url: 'http://hub/mcp', method: 'POST' });
  expect(list?.headers).toMatchObject({
    authorization: 'Bearer k',
    'mcp-session-id': 'session-1',
    'mcp-protocol-version': '2025-11-25',
  });
  expect(sent.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
});

it('passes on what the stream of the session tells', async () => {
  const { client } = proxied(
    legacyHub((request) =>
      request.method === 'GET'
        ? new Response('id: 7\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n', {
            headers: SSE,
          })
        : result(request.body.id, {}),
    ),
  );
  await client.initialize('2025-11-25', {});
  expect(await client.message()).toMatchObject({ method: 'notifications/tools/list_changed' });
});

it('says which line is no message', async () => {
  const { client, stdin } = proxied(() => noStream());
  stdin.write('not json\n');
  stdin.write('{"id":1}\n');
  expect(await client.message()).toMatchObject({ error: { code: -32700 } });
  expect(await client.message()).toMatchObject({ error: { code: -32600 } });
});

it('looks for the hub again, greets it anew and repeats what never left', async () => {
  let gone = false;
  const { client, sent } = proxied(
    legacyHub((request) => {
      if (request.method === 'GET') return noStream();
      if (gone && request.url.startsWith('http://old')) return refused();
      return result(request.body.id, { from: request.url });
    }),
    [
      { url: 'http://old', key: undefined },
      { url: 'http://new', key: undefined },
    ],
  );
  await client.initialize('2025-11-25', {});
  gone = true;
  expect((await client.request('tools/list', {}))?.result).toEqual({ from: 'http://new/mcp' });
  expect(sent.filter(({ body }) => body.method === 'initialize').map(({ url }) => url)).toEqual([
    'http://old/mcp',
    'http://new/mcp',
  ]);
});

it('greets the hub anew when the session is unknown there', async () => {
  let lost = true;
  const { client } = proxied(
    legacyHub((request) => {
      if (request.method === 'GET') return noStream();
      if (!lost) return result(request.body.id, { tools: [] });
      lost = false;
      return new Response('', { status: 404 });
    }),
  );
  await client.initialize('2025-11-25', {});
  expect((await client.request('tools/list', {}))?.result).toEqual({ tools: [] });
});

it('says that no hub runs', async () => {
  const { client } = proxied(refused, [undefined]);
  expect((await client.request('tools/list', {}))?.error).toMatchObject({ data: { code: 'HUB_UNREACHABLE' } });
});

it('says that nobody can know what became of a request whose answer broke off', async () => {
  const { client } = proxied((request) => {
    if (request.body.method === 'tools/list') throw new TypeError('other side closed');
    return new Response(
      new ReadableStream({
        pull: (controller) => controller.error(new Error('reset')),
      }),
      { headers: SSE },
    );
  });
  for (const method of ['tools/list', 'tools/call']) {
    const answer = await client.request(method, { _meta: modern });
    expect(answer?.error).toMatchObject({ data: { code: 'AMBIGUOUS_DELIVERY' } });
  }
});

it('makes an answer of a refusal, and names the request in it', async () => {
  const { client } = proxied((request) =>
    request.body.method === 'ping'
      ? Response.json({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }, { status: 400 })
      : Response.json({ error: { code: 'UNAUTHORIZED', message: 'The request has no key.' } }, { status: 401 }),
  );
  expect((await client.request('tools/list', { _meta: modern }))?.error).toMatchObject({
    message: 'The request has no key.',
    data: { code: 'UNAUTHORIZED' },
  });
  expect((await client.request('ping', { _meta: modern }))?.error).toMatchObject({ code: -32600, message: 'no' });
});

const region = {
  name: 'weather',
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
};

it('learns which arguments of a tool stand in fields, and repeats the call with them', async () => {
  const { client, sent } = proxied((request) => {
    if (request.body.method === 'tools/list') return result(request.body.id, { tools: [region] });
    const given = Object.keys(request.headers).some((name) => name.toLowerCase() === 'mcp-param-region');
    return given
      ? result(request.body.id, { content: [] })
      : Response.json(
          { jsonrpc: '2.0', id: request.body.id, error: { code: -32020, message: 'mismatch' } },
          { status: 400 },
        );
  });
  const call = { name: 'weather', arguments: { region: 'eu' }, _meta: modern };
  expect((await client.request('tools/call', call))?.result).toEqual({ content: [] });
  expect(sent.map(({ body }) => body.method)).toEqual(['tools/call', 'tools/list', 'tools/call']);
});

it('takes a modern request back by hanging up', async () => {
  const { client, sent, stdin, served } = proxied(
    ({ signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
  );
  client.send('tools/call', { name: 'slow', _meta: modern });
  await expect.poll(() => sent.length).toBe(1);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: sent[0]?.body.id } };
  stdin.write(`${JSON.stringify(cancel)}\n`);
  await expect.poll(() => sent[0]?.signal?.aborted).toBe(true);
  stdin.end();
  await served;
  expect(await client.line()).toBeUndefined();
});

it('tells the hub that a legacy request was taken back, and needs no answer then', async () => {
  const { client, sent, stdin, served } = proxied(
    legacyHub(async (request) => {
      if (request.method === 'GET') return noStream();
      if (request.body.method !== 'tools/call') return new Response(null, { status: 202 });
      await expect.poll(() => sent.some(({ body }) => body.method === 'notifications/cancelled')).toBe(true);
      return new Response('', { headers: SSE });
    }),
  );
  await client.initialize('2025-11-25', {});
  client.send('tools/call', { name: 'slow' });
  await expect.poll(() => sent.some(({ body }) => body.method === 'tools/call')).toBe(true);
  const { id } = sent.find(({ body }) => body.method === 'tools/call')?.body ?? {};
  client.notify('notifications/cancelled', { requestId: id ?? null });
  client.write('no message\n');
  expect(await client.message()).toMatchObject({ id: null, error: { code: -32700 } });
  stdin.end();
  await served;
  expect(await client.line()).toBeUndefined();
});

it('takes the messages of a batch apart where the revision has batches', async () => {
  const batch = `${JSON.stringify([11, 12].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' })))}\n`;
  const hub = (version: string) =>
    proxied(legacyHub((request) => (request.method === 'GET' ? noStream() : result(request.body.id, {})), version));
  const old = hub('2025-03-26');
  await old.client.initialize('2025-03-26', {});
  old.client.write(batch);
  const ids = [await old.client.message(), await old.client.message()].map((message) => (message as { id: number }).id);
  expect(new Set(ids)).toEqual(new Set([11, 12]));
  const newer = hub('2025-11-25');
  await newer.client.initialize('2025-11-25', {});
  newer.client.write(batch);
  expect(await newer.client.message()).toMatchObject({ id: null, error: { code: -32600 } });
});
