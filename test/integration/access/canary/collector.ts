import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Every byte that was sent, and under which credentials. */
  readonly bodies: readonly string[];
  readonly authorizations: readonly (string | undefined)[];
}

/** Takes spans as a collector of traces does, and keeps every byte. */
export const startCollector = async (): Promise<Collector> => {
  const bodies: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    authorizations.push(request.headers.authorization);
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString('latin1'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    bodies,
    authorizations,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
