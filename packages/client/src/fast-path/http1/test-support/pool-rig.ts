/// <reference lib="esnext.disposable" />
import type { NetworkOptions } from '../../../network/http-dispatcher.js';
import { Http1Pool } from '../http1-pool.js';
import type { RawServer, Responder } from './raw-server.js';

export interface PoolRig extends AsyncDisposable {
  readonly server: RawServer;
  readonly url: URL;
  readonly pool: Http1Pool;
}

export interface PoolRigOptions {
  readonly server: RawServer;
  readonly address?: string;
  readonly network?: NetworkOptions;
}

/** A pool and the server that it posts to. */
export const openPoolRig = async ({ server, address, network = {} }: PoolRigOptions): Promise<PoolRig> => {
  const url = await server.listen(address);
  const pool = new Http1Pool({ url, network });
  return {
    server,
    url,
    pool,
    [Symbol.asyncDispose]: async () => {
      await pool.destroy();
      await server.close();
    },
  };
};

/** Answers with what it was sent. */
export const echoWith =
  (answer: (body: string) => string): Responder =>
  (socket, body) =>
    void socket.write(answer(body));
