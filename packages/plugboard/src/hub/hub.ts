import type { ServerId } from '@plugboard/contract';
import type { Registry } from '@plugboard/registry';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StdioEndpoint, StdioStreams } from '@plugboard/gateway';

/** The composed hub: it answers requests, and listens only when somebody puts a server in front of it. */
export interface Hub {
  readonly registry: Registry;
  /** Answers in process, without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Answers a request of a node:http server. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Serves all servers as one, or the server or toolset that is named, over two pipes, until the input ends. */
  serveStdio(streams: StdioStreams, signal: AbortSignal, endpoint?: StdioEndpoint): Promise<void>;
  /** Says where the hub can be reached, so that browsers can be sent back to it. */
  listensAt(url: string): void;
  /** Closes what is open to a server until somebody uses it again. */
  rest(id: ServerId): Promise<void>;
  /** From now on /ready says so and new work is refused by load balancers. */
  beginStopping(): void;
  /** Ends the answers under way whose credentials no longer open anything. */
  endUnproven(open: Iterable<ServerResponse>): Promise<void>;
  /** Opens everything to whoever may read the home of this hub: its own commands. */
  readonly localKey: string;
  /** Must callers say who they are? */
  accessControlled(): Promise<boolean>;
  close(): Promise<void>;
}
