import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deferred } from '@plugboard/base';

/** A place on this machine that a browser comes back to. */
export interface LoopbackReturn {
  readonly redirectUri: string;
  /** The query that the browser brought, with its question mark. */
  query(signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Plugboard</title><p>Plugboard has the answer. You can close this window and return to the terminal.</p>';

/** Listens on a free port of 127.0.0.1 until closed. The first answer counts. */
export const listenForReturn = async (): Promise<LoopbackReturn> => {
  // A place of its own for each login: the answer to another cannot come back here.
  const path = `/callback/${randomBytes(12).toString('base64url')}`;
  const arrived = deferred<string>();
  const server = createServer((request, response) => {
    // Not read as a URL: what any program of the machine sends need not be one.
    const { method, url = '' } = request;
    const search = url.startsWith(`${path}?`) ? url.slice(path.length) : '';
    if (method !== 'GET' || url !== path + search) {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
        'referrer-policy': 'no-referrer',
        connection: 'close',
      })
      .end(PAGE, () => arrived.resolve(search));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    query: async (signal) => {
      const aborted = deferred<never>();
      const abort = (): void => aborted.reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      try {
        return await Promise.race([arrived.promise, aborted.promise]);
      } finally {
        signal.removeEventListener('abort', abort);
        aborted.promise.catch(() => undefined);
      }
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
