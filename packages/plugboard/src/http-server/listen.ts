import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { isLoopbackHost } from '@plugboard/base';
import { PlugboardError } from '@plugboard/contract';
import { inTurn } from './in-turn.js';
import { refuseLate } from './late-request.js';
import { type OpenConnections, trackConnections } from './open-connections.js';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly insecure: boolean;
  readonly timeouts?: ConnectionTimeouts | undefined;
  /** How many connections clients may have at a time; more are not accepted. */
  readonly bounds?: { readonly connections: number } | undefined;
}

/** How long connections may take, in milliseconds. */
export interface ConnectionTimeouts {
  /** For a connection that sent no whole request line and headers, also one that sent nothing at all. */
  readonly headers: number;
  /** For a whole request. */
  readonly request: number;
  /** How often that is looked at. */
  readonly check: number;
}

const TIMEOUTS: ConnectionTimeouts = { headers: 20_000, request: 60_000, check: 5000 };

interface Bind extends Pick<ListenOptions, 'host' | 'insecure'> {
  readonly accessControlled: boolean;
}

export interface Listening {
  readonly url: string;
  /** From now on new work is refused; what is in progress goes on. */
  refuseNew(): void;
  /** Stops taking requests, lets those in progress finish, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Nobody may reach the hub from outside by accident: without access control it stays on loopback. */
export const assertSafeBind = ({ host, insecure, accessControlled }: Bind): void => {
  if (isLoopbackHost(host) || insecure || accessControlled) return;
  throw new PlugboardError('INSECURE_BIND', `Refusing to listen on ${host} without access control.`, {
    hint: 'Create a key with `plugboard key create --role admin`, set PLUGBOARD_ADMIN_KEY, or listen on 127.0.0.1; --insecure lets anyone who can reach this address use every tool.',
  });
};

const bindError = (cause: NodeJS.ErrnoException, { host, port }: ListenOptions): PlugboardError => {
  if (cause.code === 'EADDRINUSE') {
    return new PlugboardError('PORT_IN_USE', `Port ${port} on ${host} is already in use.`, {
      hint: 'Stop the other program (it may be another hub: `plugboard doctor`), or choose another with --port.',
      cause,
    });
  }
  return new PlugboardError('CONFIG_INVALID', `Cannot listen on ${host}:${port} (${cause.code ?? 'unknown reason'}).`, {
    hint: 'Check --host and --port; ports below 1024 need privileges.',
    cause,
  });
};

const urlOf = (server: Server, host: string): string => {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
};

const SWEEP_MS = 50;
/** How long a stream may go on after its key was revoked. */
const VERIFY_MS = 1000;

/** Connections without a request in flight are closed as soon as they are quiet; the rest gets its time. */
const close = async (server: Server, connections: OpenConnections, graceMs: number): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  connections.closeQuiet();
  const sweep = setInterval(() => connections.closeQuiet(), SWEEP_MS);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearInterval(sweep);
    clearTimeout(cut);
  }
};

/** What a port needs of the hub behind it. */
export interface ListeningHub {
  /** Must callers say who they are? */
  accessControlled(): Promise<boolean>;
  /** Answers a request of a node:http server. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Ends the answers in flight whose credentials no longer open anything. */
  endUnproven(open: Iterable<ServerResponse>): Promise<void>;
  /** Says where the hub can be reached, so that browsers can be sent back to it. */
  listensAt(url: string): void;
}

/** Opens the hub's port. Rejects with INSECURE_BIND or PORT_IN_USE. */
export const listen = async (hub: ListeningHub, options: ListenOptions): Promise<Listening> => {
  assertSafeBind({ ...options, accessControlled: await hub.accessControlled() });
  let stopping = false;
  const { timeouts = TIMEOUTS } = options;
  const server = createServer(
    // A load balancer in front must give up a quiet connection before we do.
    {
      keepAliveTimeout: 75_000,
      headersTimeout: timeouts.headers,
      requestTimeout: timeouts.request,
      connectionsCheckingInterval: timeouts.check,
    },
    inTurn((request, response) => {
      connections.noteRequest(response);
      if (!stopping || !refuseLate(request, response)) hub.handle(request, response);
    }),
  );
  const connections = trackConnections(server);
  if (options.bounds !== undefined) server.maxConnections = options.bounds.connections;
  const { host, port } = options;
  server.listen(port, host.replace(/^\[|\]$/gu, ''));
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw bindError(cause as NodeJS.ErrnoException, options);
  }
  const verifying = setInterval(() => void hub.endUnproven(connections.answers()), VERIFY_MS);
  verifying.unref();
  server.once('close', () => clearInterval(verifying));
  const url = urlOf(server, host);
  hub.listensAt(url);
  return {
    url,
    refuseNew: () => {
      stopping = true;
    },
    close: (graceMs) => {
      stopping = true;
      return close(server, connections, graceMs);
    },
  };
};
