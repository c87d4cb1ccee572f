import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { refuseLate } from './late-request.js';
import { assertSafeBind } from './listen.js';
import { trackConnections } from './open-connections.js';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const rig = (handle: Handle) => {
  const server = createServer((request, response) => {
    connections.noteRequest(response);
    handle(request, response);
  });
  const connections = trackConnections(server);
  const connect = (): { readonly near: Duplex; readonly far: Duplex } => {
    const [near, far] = duplexPair();
    server.emit('connection', Object.assign(far, { bytesRead: 0 }));
    return { near, far };
  };
  const ask = (path: string, headers: Record<string, string> = {}): Promise<readonly [number, string, string]> =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ path, headers, createConnection: () => connect().near });
      sent.once('error', reject);
      sent.once('response', (response) => {
        const { statusCode = 0, headers: got } = response;
        text(response).then((body) => resolve([statusCode, body, String(got.connection)]), reject);
      });
      sent.end();
    });
  return { connections, connect, ask };
};

describe('where a hub may listen', () => {
  it.each([
    ['127.0.0.1', false, false, true],
    ['0.0.0.0', false, false, false],
    ['0.0.0.0', true, false, true],
    ['0.0.0.0', false, true, true],
  ])('%s, insecure: %s, with keys: %s: %s', (host, insecure, accessControlled, may) => {
    const bind = (): void => assertSafeBind({ host, insecure, accessControlled });
    if (may) expect(bind).not.toThrow();
    else expect(bind).toThrow(expect.objectContaining({ code: 'INSECURE_BIND' }));
  });
});

describe('a hub that stops', () => {
  const { ask } = rig((request, response) => {
    if (!refuseLate(request, response)) response.end('served');
  });

  it('refuses new work, and says when to come back', async () => {
    const [status, body, connection] = await ask('/mcp');
    expect([status, connection]).toEqual([503, 'close']);
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'HUB_STOPPING' } });
  });

  it.each([
    ['/health', {}],
    ['/ready?x=1', {}],
    ['/servers/a/messages', {}],
    ['/mcp', { 'mcp-session-id': 's' }],
  ])('still serves %s with %j', async (path, headers) => {
    expect(await ask(path, headers)).toEqual([200, 'served', 'close']);
  });
});

describe('connections of a server', () => {
  it('without a request are closed the second time that they are quiet', async () => {
    const { connections, connect } = rig(() => undefined);
    const { far } = connect();
    connections.closeQuiet();
    expect(far.destroyed).toBe(false);
    Object.assign(far, { bytesRead: 10 });
    connections.closeQuiet();
    expect(far.destroyed).toBe(false);
    connections.closeQuiet();
    expect(far.destroyed).toBe(true);
  });

  it('with a request under way stay', async () => {
    let answer: ServerResponse | undefined;
    const { connections, ask } = rig((_request, response) => {
      answer = response;
    });
    const asked = ask('/slow');
    await expect.poll(() => [...connections.answers()]).toHaveLength(1);
    connections.closeQuiet();
    connections.closeQuiet();
    answer?.end('done');
    expect((await asked).slice(0, 2)).toEqual([200, 'done']);
    await expect.poll(() => [...connections.answers()]).toHaveLength(0);
  });
});
