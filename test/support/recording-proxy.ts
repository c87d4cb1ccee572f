import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface RecordingProxy extends AsyncDisposable {
  readonly url: string;
  /** Every request, in order, as it came. */
  readonly seen: readonly SeenRequest[];
}

export interface RecordingProxyOptions {
  /** Asks the server for the path that was asked for, and not for that of its URL. */
  readonly keepPath?: boolean;
}

/** Stands in front of a server and writes down how it is asked. */
export const recordingProxy = async (
  target: string,
  { keepPath = false }: RecordingProxyOptions = {},
): Promise<RecordingProxy> => {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    const { host, pathname } = new URL(target);
    const path = keepPath ? request.url : pathname;
    const upstream = send(target, { path, method: request.method, headers: { ...request.headers, host } });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
