import { once } from 'node:events';
import { createServer, isIPv6, type AddressInfo, type Server, type Socket } from 'node:net';

/** Called with every request that came in whole; `index` counts the connections. */
export type Responder = (socket: Socket, body: string, index: number) => void;

export const bodyOf = (text: string): string | undefined => {
  const head = text.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/iu.exec(text)?.[1]);
  return head !== -1 && text.length >= head + 4 + length ? text.slice(head + 4, head + 4 + length) : undefined;
};

/** Listens for requests and answers with bytes: whatever a test wants a server to do, right or wrong. */
export class RawServer {
  readonly sockets: Socket[] = [];
  /** The requests as they came. */
  readonly received: string[] = [];
  readonly #server: Server;

  constructor(respond: Responder, server: Server = createServer()) {
    this.#server = server;
    server.on(this.#event, (socket: Socket) => {
      const index = this.sockets.push(socket) - 1;
      let text = '';
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const body = bodyOf(text);
        if (body === undefined) return;
        this.received.push(text);
        text = '';
        respond(socket, body, index);
      });
    });
  }

  get #event(): string {
    return 'setSecureContext' in this.#server ? 'secureConnection' : 'connection';
  }

  async listen(address = '127.0.0.1'): Promise<URL> {
    await once(this.#server.listen(0, address), 'listening');
    const { port } = this.#server.address() as AddressInfo;
    const host = isIPv6(address) ? `[${address}]` : address;
    return new URL(`${this.#event === 'connection' ? 'http' : 'https'}://${host}:${port}/mcp`);
  }

  /** Resolves when the first connection is closed. */
  async firstClosed(): Promise<void> {
    const [first] = this.sockets;
    if (first !== undefined && !first.closed) await once(first, 'close');
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.#server.listening) await once(this.#server.close(), 'close');
  }
}
