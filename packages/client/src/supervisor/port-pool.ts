import { once } from 'node:events';
import { createServer } from 'node:net';
import { PlugboardError } from '@plugboard/contract';

/** Where a server that we launch shall listen. */
export type PortRequest =
  | { readonly kind: 'fixed'; readonly port: number }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'free' };

export interface PortLease {
  readonly port: number;
  release(): void;
}

/** Ports for children: what is handed out is free on the system and with no other child of ours. */
export interface PortPool {
  lease(request: PortRequest, host: string): Promise<PortLease>;
}

/** The port that could be bound, 0 meaning any; undefined when it is taken. */
type TryPort = (port: number, host: string) => Promise<number | undefined>;

const bindPort: TryPort = async (port, host) => {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' ? address?.port : undefined;
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES') return undefined;
    throw thrown;
  } finally {
    server.close();
  }
};

const candidates = function* (request: PortRequest): Generator<number> {
  switch (request.kind) {
    case 'fixed':
      yield request.port;
      break;
    case 'range':
      for (let port = request.from; port <= request.to; port += 1) yield port;
      break;
    case 'free':
      // The system may offer a port that we handed out and whose child has not bound it yet.
      for (let tries = 0; tries < 20; tries += 1) yield 0;
      break;
  }
};

const describe = (request: PortRequest): string => {
  switch (request.kind) {
    case 'fixed':
      return `Port ${request.port} is already in use.`;
    case 'range':
      return `No port from ${request.from} to ${request.to} is free.`;
    case 'free':
      return 'The system offers no free port.';
  }
  return request satisfies never;
};

export const createPortPool = (tryPort: TryPort = bindPort): PortPool => {
  const leased = new Set<number>();
  return {
    async lease(request, host) {
      for (const candidate of candidates(request)) {
        if (leased.has(candidate)) continue;
        // Reserved before the first wait, so that two callers never try the same one.
        if (candidate !== 0) leased.add(candidate);
        const port = await tryPort(candidate, host).catch((thrown: unknown) => {
          leased.delete(candidate);
          throw thrown;
        });
        if (port === undefined) {
          leased.delete(candidate);
          continue;
        }
        if (candidate === 0 && leased.has(port)) continue;
        leased.add(port);
        return { port, release: () => leased.delete(port) };
      }
      throw new PlugboardError('PORT_IN_USE', describe(request), {
        hint: 'Give this server another port, a range, or let the system choose a free one.',
      });
    },
  };
};
