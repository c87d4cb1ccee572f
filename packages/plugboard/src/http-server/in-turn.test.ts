import { createServer, type ServerResponse } from 'node:http';
import { duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { inTurn } from './in-turn.js';

const connected = () => {
  const taken: { readonly url: string | undefined; readonly response: ServerResponse }[] = [];
  const server = createServer(
    inTurn((request, response) => {
      expect(response.socket).not.toBeNull();
      taken.push({ url: request.url, response });
    }),
  );
  const [near, far] = duplexPair();
  server.emit('connection', far);
  let received = '';
  near.on('data', (chunk: Buffer) => (received += chunk.toString()));
  const ask = (...paths: readonly string[]): void =>
    void near.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
  return { taken, ask, far, received: () => received };
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

  it('may be any number when each waits for the answer before', async () => {
    const { taken, ask } = connected();
    for (let count = 1; count <= 300; count += 1) {
      ask('/one');
      await expect.poll(() => taken.length, { ...POLL, interval: 1 }).toBe(count);
      taken.at(-1)?.response.end();
    }
  });
});
