import type { Registry } from '@plugboard/registry';
import type { StdioEndpoint, StdioStreams } from '@plugboard/gateway';
import type { ListeningHub } from '../http-server/listen.js';

/** The composed hub: it answers requests, and listens only when somebody puts a server in front of it. */
export interface Hub extends ListeningHub {
  readonly registry: Registry;
  /** Answers in process, without a socket. */
  fetch(request: Request): Promise<Response>;
  /** Serves all servers as one, or the server or toolset that is named, over two pipes, until the input ends. */
  serveStdio(streams: StdioStreams, signal: AbortSignal, endpoint?: StdioEndpoint): Promise<void>;
  /** Joins the other processes on the same store, if there can be any. */
  join(): Promise<void>;
  /** Lets the others take over what this process has. */
  leave(): Promise<void>;
  /** From now on /ready says so and new work is refused by load balancers. */
  beginStopping(): void;
  /** Grants everything to anyone who can read the home of this hub: its own commands. */
  readonly localKey: string;
  /** The secret of a link that signs one browser on this machine in, once and soon. */
  openSignInLink(): string;
  close(): Promise<void>;
}
