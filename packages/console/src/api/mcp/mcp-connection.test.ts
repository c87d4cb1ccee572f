import { afterEach, describe, expect, it, vi } from 'vitest';
import { Http } from '../http.js';
import { McpConnection } from './mcp-connection.js';

interface Sent {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly message: { readonly id?: number; readonly method?: string; readonly params?: Record<string, unknown> };
}

const json = (value: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json', ...headers } });

const stream = (...messages: readonly object[]): Response =>
  new Response(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

/** A hub that answers calls as `answer` says, and everything else as it should. */
const rig = (answer: (sent: Sent, count: number) => Response, capabilities: object = {}) => {
  const sent: Sent[] = [];
  let sessions = 0;
  let calls = 0;
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    const message = (init.body === undefined ? {} : JSON.parse(init.body as string)) as Sent['message'];
    const one = { method: String(init.method), headers: init.headers as Record<string, string>, message };
    sent.push(one);
    if (message.method === 'initialize') {
      sessions += 1;
      return json({ jsonrpc: '2.0', id: 0, result: { capabilities } }, { 'mcp-session-id': `s${sessions}` });
    }
    if (message.method === 'tools/call') {
      calls += 1;
      return answer(one, calls);
    }
    return new Response(null, { status: 202 });
  });
  return { sent, connection: new McpConnection(new Http(), '/mcp') };
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the greeting of a server', () => {
  it('opens the session that calls use afterwards', async () => {
    const { sent, connection } = rig(({ message }) => json({ id: message.id, result: {} }), { tools: {} });
    expect(await connection.greeting()).toEqual({ capabilities: { tools: {} } });
    await connection.request('tools/call', { name: 'a' });
    await connection.greeting();
    expect(sent.filter(({ message }) => message.method === 'initialize')).toHaveLength(1);
  });
});

describe('watching a session', () => {
  it('shows each message both ways, those that open the session first, until nobody watches', async () => {
    const { connection } = rig(({ message }) =>
      stream({ method: 'notifications/progress', params: { progress: 1 } }, { id: message.id, result: {} }),
    );
    const seen: string[] = [];
    const unwatch = connection.watch(({ way, message }) => {
      const { method, id } = message as { readonly method?: string; readonly id?: number };
      seen.push(`${way} ${method ?? id}`);
    });
    await connection.request('tools/call', { name: 'a' });
    expect(seen).toEqual([
      'sent initialize',
      'received 0',
      'sent notifications/initialized',
      'sent tools/call',
      'received notifications/progress',
      'received 1',
    ]);
    unwatch();
    await connection.request('tools/call', { name: 'a' });
    expect(seen).toHaveLength(6);
  });
});

describe('a session with the hub', () => {
  it('is opened once, used, and ended', async () => {
    const { sent, connection } = rig(({ message }) => json({ id: message.id, result: { ok: message.id } }));
    expect(await connection.request('tools/call', { name: 'a' })).toEqual({ ok: 1 });
    expect(await connection.request('tools/call', { name: 'b' })).toEqual({ ok: 2 });
    await connection.close();
    expect(sent.map(({ message, method }) => message.method ?? method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/call',
      'tools/call',
      'DELETE',
    ]);
    expect(sent.at(-1)?.headers['mcp-session-id']).toBe('s1');
  });

  it('outlives a page that lets go and comes back at once, and ends with the last', async () => {
    vi.useFakeTimers();
    const { sent, connection } = rig(({ message }) => json({ id: message.id, result: {} }));
    const release = connection.hold();
    await connection.request('tools/call', { name: 'a' });
    release();
    const releaseAgain = connection.hold();
    await vi.runAllTimersAsync();
    expect(sent.map(({ method }) => method)).not.toContain('DELETE');
    releaseAgain();
    await vi.runAllTimersAsync();
    expect(sent.map(({ method }) => method)).toContain('DELETE');
  });

  it('asks for every log message where the server has a log', async () => {
    const { sent, connection } = rig(({ message }) => json({ id: message.id, result: {} }), { logging: {} });
    await connection.request('tools/call', { name: 'a' });
    const asked = sent.find(({ message }) => message.method === 'logging/setLevel');
    expect([asked?.message.params, asked?.headers['mcp-session-id']]).toEqual([{ level: 'debug' }, 's1']);
  });

  it('hears progress and answers questions before the result', async () => {
    const { sent, connection } = rig(({ message }) =>
      stream(
        { method: 'notifications/progress', params: { progress: 1 } },
        { id: 'q', method: 'elicitation/create', params: { message: 'Name?' } },
        { id: message.id, result: 'done' },
      ),
    );
    const heard: string[] = [];
    const result = await connection.request(
      'tools/call',
      {},
      {
        onNotification: (method) => void heard.push(method),
        onRequest: async () => ({ action: 'accept', content: { name: 'x' } }),
      },
    );
    expect([result, heard]).toEqual(['done', ['notifications/progress']]);
    await vi.waitFor(
      () =>
        expect(sent.at(-1)?.message).toMatchObject({ id: 'q', result: { action: 'accept', content: { name: 'x' } } }),
      20_000,
    );
  });

  it('says that it cannot answer what nobody answers here', async () => {
    const { sent, connection } = rig(({ message }) =>
      stream({ id: 'q', method: 'roots/list' }, { id: message.id, result: 1 }),
    );
    await connection.request('tools/call', {});
    await vi.waitFor(() => expect(sent.at(-1)?.message).toMatchObject({ id: 'q', error: { code: -32_601 } }), 20_000);
  });

  it('is opened again when the hub has forgotten it', async () => {
    const { connection } = rig(({ message, headers }, count) =>
      count === 1 ? new Response('{}', { status: 404 }) : json({ id: message.id, result: headers['mcp-session-id'] }),
    );
    expect(await connection.request('tools/call', {})).toBe('s2');
  });

  it('passes errors on with their hints', async () => {
    const { connection } = rig(({ message }) =>
      json({ id: message.id, error: { code: -32_602, message: 'No.', data: { hint: 'Try this.' } } }),
    );
    await expect(connection.request('tools/call', {})).rejects.toMatchObject({ message: 'No.', hint: 'Try this.' });
    const early = rig(() => stream());
    await expect(early.connection.request('tools/call', {})).rejects.toMatchObject({ code: 'UPSTREAM_CLOSED' });
  });

  it('tells the server when somebody gave up', async () => {
    const { sent, connection } = rig(({ message }) => json({ id: message.id, result: 1 }));
    const stop = new AbortController();
    const asked = connection.request('tools/call', {}, { signal: stop.signal });
    stop.abort();
    await asked.catch(() => undefined);
    await vi.waitFor(
      () => expect(sent.map(({ message }) => message.method)).toContain('notifications/cancelled'),
      20_000,
    );
  });
});
