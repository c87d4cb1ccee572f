import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { duplexPair, type Duplex } from 'node:stream';

/** Where servers listen, and clients connect to them. */
export interface FakeNetwork {
  /** Resolves with the port; 0 asks for a free one. */
  listen(server: Server, port: number, host: string): Promise<number>;
  connect(port: number, host?: string): Duplex;
}

/** Real sockets. */
export const tcpNetwork: FakeNetwork = {
  listen: (server, port, host) =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    }),
  connect: (port, host = '127.0.0.1') => connect({ port, host }),
};

/** A connection that is refused as TCP refuses it: by an error event. */
const refused = (port: number): Duplex => {
  const [client] = duplexPair();
  const error = Object.assign(new Error(`connect ECONNREFUSED memory:${port}`), { code: 'ECONNREFUSED' });
  // Later, as with TCP: who asked for the connection is not listening yet.
  setImmediate(() => client.destroy(error));
  return client;
};

const accept = (server: Server): Duplex => {
  const [client, accepted] = duplexPair();
  // A pair is not told when its other half is destroyed; a socket is.
  client.once('close', () => accepted.destroy());
  accepted.once('close', () => client.destroy());
  for (const end of [client, accepted]) end.on('error', () => undefined);
  server.emit('connection', accepted);
  return client;
};

const EVERY_HOST = '0.0.0.0';
const LOOPBACK = '127.0.0.1';

/** Connections inside this process: HTTP as ever, but without sockets and ports of the machine. */
export const memoryNetwork = (): FakeNetwork => {
  const servers = new Map<number, { readonly server: Server; readonly host: string }>();
  let lastPort = 49_151;
  const freePort = (): number => {
    lastPort += 1;
    return lastPort;
  };
  return {
    listen: async (server, wanted, host) => {
      const port = wanted === 0 ? freePort() : wanted;
      if (servers.has(port)) throw new Error(`Port ${port} is in use.`);
      servers.set(port, { server, host });
      server.once('close', () => servers.delete(port));
      return port;
    },
    connect: (port, host = LOOPBACK) => {
      const listener = servers.get(port);
      const hears = listener?.host === EVERY_HOST || listener?.host === (host === 'localhost' ? LOOPBACK : host);
      return listener !== undefined && hears ? accept(listener.server) : refused(port);
    },
  };
};
