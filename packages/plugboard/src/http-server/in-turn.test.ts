import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { inTurn } from './in-turn.js';

const listening = (maxBytesInAll?: number) => {
  const taken: { readonly url: string | undefined; readonly response: ServerResponse }[] = [];
  const server = createServer(
    inTurn((request, response) => {
      expect(response.socket).not.toBeNull();
      taken.push({ url: request.url, response });
    }, maxBytesInAll),
  );
  const connect = () => {
    const [near, far] = duplexPair();
    server.emit('connection', far);
    let received = '';
    near.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const send = (...requests: readonly string[]): void => void near.write(requests.join(''));
    const ask = (...paths: readonly string[]): void => send(...paths.map((path) => get(path)));
    return { ask, send, far, received: () => received };
  };
  return { taken, connect };
};

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

const connected = () => {
  const { taken, connect } = listening();
  return { taken, ...connect() };
};

const POLL = { timeout: 5000 };

describe('requests of one connection', () => {
  it('are taken one after the other', async () => {
    const { taken, ask, received } = connected();
    ask('/one', '/two', '/three');
    for (const [index, path] of ['/one', '/two', '/three'].entries()) {
      await expect.poll(() => taken.map(({ url }) => url), POLL).toHaveLength(index + 1);
      expect(taken.at(-1)?.url).toBe(path);
      taken.at(-1)?.response.end(path);
    }
    await expect.poll(received, POLL).toMatch(/\/one[^]*\/two[^]*\/three/u);
  });

  it('wait a hundred at most; the next one ends the connection', async () => {
    const { taken, ask, far } = connected();
    ask('/one', ...Array.from({ length: 100 }, () => '/next'));
    await expect.poll(() => taken.length, POLL).toBe(1);
    expect(far.destroyed).toBe(false);
    ask('/last');
    await expect.poll(() => far.destroyed, POLL).toBe(true);
    expect(taken).toHaveLength(1);
  });

  it.each([
    ['fields', get('/next', `x-long: ${'x'.repeat(15_000)}\r\n`)],
    ['bodies', `POST /next HTTP/1.1\r\nhost: x\r\ncontent-length: 15000\r\n\r\n${'x'.repeat(15_000)}`],
    ['bodies of unknown length', get('/next', 'transfer-encoding: chunked\r\n') + '5\r\nhello\r\n0\r\n\r\n'],
  ])('wait with 512 KiB at most, %s included', async (_what, request) => {
    const { taken, ask, send, far } = connected();
    ask('/one');
    send(...Array.from({ length: 20 }, () => request));
    await expect.poll(() => taken.length, POLL).toBe(1);
    expect(far.destroyed).toBe(false);
    send(...Array.from({ length: 20 }, () => request));
    await expect.poll(() => far.destroyed, POLL).toBe(true);
  });

  it('share a bound with those of other connections, until they are taken or their connection is closed', async () => {
    const { taken, connect } = listening(10_000);
    const [first, second, third] = [connect(), connect(), connect()];
    const answer = async (path: string): Promise<void> => {
      await expect.poll(() => taken.map(({ url }) => url), POLL).toContain(path);
      taken.find(({ url }) => url === path)?.response.end();
    };
    first.ask('/one', '/two', '/three', '/four');
    third.ask('/a');
    await expect.poll(() => taken.length, POLL).toBe(2);
    second.ask('/one', '/two', '/three');
    await expect.poll(() => second.far.destroyed, POLL).toBe(true);
    expect(first.far.destroyed).toBe(false);
    first.far.destroy();
    await once(first.far, 'close');
    third.ask('/b', '/c', '/d', '/e');
    for (const path of ['/a', '/b', '/c', '/d']) await answer(path);
    third.ask('/f', '/g', '/h');
    for (const path of ['/e', '/f', '/g', '/h']) await answer(path);
    expect(third.far.destroyed).toBe(false);
  });

  it('may be any number when each waits for the answer before', async () => {
    const { taken, ask } = connected();
    for (let count = 1; count <= 300; count += 1) {
      ask('/one');
      await expect.poll(() => taken.length, { ...POLL, interval: 1 }).toBe(count);
      taken.at(-1)?.response.end();
    }
  });
});
