import { createServer, type Server } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A listener on this machine that no well-behaved server connects to. */
export interface Canary {
  readonly port: number;
  /** What callers said first, one entry per connection. */
  readonly hits: readonly string[];
  close(): Promise<void>;
}

const SAID = 512;

const answer = (location: string | undefined): string =>
  location === undefined
    ? 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 6\r\nconnection: close\r\n\r\ncanary'
    : `HTTP/1.1 302 Found\r\nlocation: ${location}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;

/** Listens on a free port of the loopback address; answers as a web server, or sends callers on to somewhere else. */
export const openCanary = async (redirect?: string): Promise<Canary> => {
  const hits: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const place = hits.push('') - 1;
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      hits[place] = `${hits[place] ?? ''}${chunk.toString('latin1')}`.slice(0, SAID);
      if (hits[place].includes('\r\n\r\n')) socket.end(answer(redirect));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  };
  return { port: (server.address() as AddressInfo).port, hits, close };
};
