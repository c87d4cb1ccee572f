import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { memoryConnection, type MemoryConnection } from './memory-socket.js';
import { bodyOf, type Responder } from './raw-server.js';

/** The server of `RawServer` without a network: the connector hands out connections in memory. */
export class MemoryServer {
  readonly sockets: Socket[] = [];
  readonly clients: MemoryConnection['client'][] = [];
  readonly received: string[] = [];
  /** How the next connections fail; each is used once. */
  readonly refusals: Error[] = [];
  /** Connections are not made before this settles. */
  gate: Promise<void> = Promise.resolve();
  readonly #respond: Responder;

  constructor(respond: Responder) {
    this.#respond = respond;
  }

  readonly connect = (_target: buildConnector.Options, done: buildConnector.Callback): void => {
    void this.#connect(done);
  };

  async #connect(done: buildConnector.Callback): Promise<void> {
    await this.gate;
    const refusal = this.refusals.shift();
    if (refusal === undefined) done(null, this.#accept());
    else done(refusal, null);
  }

  #accept(): Socket {
    const { client, server } = memoryConnection();
    const index = this.sockets.push(server) - 1;
    this.clients.push(client);
    let text = '';
    server.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const body = bodyOf(text);
      if (body === undefined) return;
      this.received.push(text);
      text = '';
      this.#respond(server, body, index);
    });
    return client;
  }
}
