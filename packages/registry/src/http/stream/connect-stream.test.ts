import { connectEvent, PlugboardError, type ConnectEvent } from '@plugboard/contract';
import { describe, expect, it } from 'vitest';
import { adminFixture, echoTool, httpServer, type Upstream } from '../test-support/admin-fixture.js';

const eventsOf = (text: string): ConnectEvent[] =>
  text
    .split('\n\n')
    .filter((frame) => frame !== '' && !frame.startsWith(':'))
    .map((frame) => {
      const [id = '', name = '', data = ''] = frame.split('\n');
      expect(id).toMatch(/^id: \d+$/u);
      const event = connectEvent.parse(JSON.parse(data.replace(/^data: /u, '')));
      expect(name).toBe(`event: ${event.event}`);
      return event;
    });

const config = { server_name: 'new', type: 'sse', server_url: 'https://a.example/sse' };
const connect = async (listTools: Upstream['listTools'], limits = {}) => {
  const { app } = await adminFixture({ listTools }, { limits });
  return app.request('/v1/tools/mcp/servers/connect', {
    method: 'POST',
    body: JSON.stringify(config),
    headers: { 'Content-Type': 'application/json' },
  });
};
const untilAborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

describe('the connect stream', () => {
  it('tells of the attempt, then of the tools', async () => {
    const answer = await connect(async () => [echoTool]);
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(answer.headers.get('cache-control')).toContain('no-cache');
    expect(eventsOf(await answer.text())).toEqual([
      { event: 'connection_attempt', server_name: 'new' },
      { event: 'success', tools: [echoTool] },
    ]);
  });

  it('does so for a registered server, by id', async () => {
    const { app, register } = await adminFixture();
    const { id } = await register(httpServer('mine'));
    const events = eventsOf(await (await app.request(`/v1/mcp-servers/connect/${id}`)).text());
    expect(events).toMatchObject([
      { event: 'connection_attempt', server_name: 'mine' },
      { event: 'success', tools: [{ name: 'echo' }, { name: 'add' }] },
    ]);
  });

  it('ends with the reason of a failure, and asks for no login', async () => {
    const answer = await connect(async () => {
      throw new PlugboardError('UPSTREAM_REFUSED', 'The server refused the connection.', { hint: 'Start it.' });
    });
    expect(eventsOf(await answer.text())).toMatchObject([
      { event: 'connection_attempt' },
      { event: 'error', message: 'The server refused the connection.', error: { code: 'UPSTREAM_REFUSED' } },
    ]);
  });

  it('asks for a login when the server answers 401', async () => {
    const answer = await connect(async () => {
      throw new PlugboardError('UPSTREAM_AUTH', 'The server wants credentials.', { details: { http_status: 401 } });
    });
    const events = eventsOf(await answer.text());
    expect(events.map(({ event }) => event)).toEqual(['connection_attempt', 'oauth_required', 'error']);
    expect(events[2]).toMatchObject({ message: expect.stringContaining('OAuth') });
  });

  it('does not ask for a login when the credentials are not enough', async () => {
    const answer = await connect(async () => {
      throw new PlugboardError('UPSTREAM_AUTH', 'The server forbids it.', { details: { http_status: 403 } });
    });
    expect(eventsOf(await answer.text()).map(({ event }) => event)).toEqual(['connection_attempt', 'error']);
  });

  it('shows nothing of what nobody expected', async () => {
    const answer = await connect(async () => {
      throw new TypeError('at /home/secret.ts:1');
    });
    const text = await answer.text();
    expect(text).not.toContain('secret.ts');
    expect(eventsOf(text)[1]).toMatchObject({ event: 'error', error: { code: 'INTERNAL' } });
  });

  it('gives up at the deadline although the server ignores it', async () => {
    const answer = await connect(() => new Promise(() => undefined), { connectDeadlineMs: 20 });
    expect(eventsOf(await answer.text())[1]).toMatchObject({ event: 'error', error: { code: 'UPSTREAM_TIMEOUT' } });
  });

  it('stays audible while it waits', async () => {
    let finish = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const answer = await connect(
      async () => {
        await done;
        return [];
      },
      { heartbeatMs: 5 },
    );
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(': heartbeat\n\n')) text += (await reader?.read())?.value ?? '';
    finish();
    while (!text.includes('event: success')) text += (await reader?.read())?.value ?? '';
    expect((await reader?.read())?.value ?? '').not.toContain('event:');
  });

  it('ends the attempt when its reader goes away', async () => {
    let seen: AbortSignal | undefined;
    const answer = await connect(({ signal }) => {
      seen = signal;
      return untilAborted(signal);
    });
    const reader = answer.body?.getReader();
    await reader?.read();
    expect(seen?.aborted).toBe(false);
    await reader?.cancel();
    expect(seen?.aborted).toBe(true);
  });

  it('ends the attempt when the request is aborted', async () => {
    const request = new AbortController();
    let seen: AbortSignal | undefined;
    const { app } = await adminFixture({
      listTools: ({ signal }) => {
        seen = signal;
        return untilAborted(signal);
      },
    });
    const answer = await app.request('/v1/tools/mcp/servers/connect', {
      method: 'POST',
      body: JSON.stringify(config),
      headers: { 'Content-Type': 'application/json' },
      signal: request.signal,
    });
    request.abort();
    expect(seen?.aborted).toBe(true);
    expect(eventsOf(await answer.text()).map(({ event }) => event)).toEqual(['connection_attempt']);
  });
});
