import type { HttpHead } from '../connection/http-exchange.js';
import type { JsonObject } from '../connection/json.js';
import type { LineConnection } from '../connection/line-connection.js';
import type { Mailbox } from '../connection/mailbox.js';
import type { Recipe } from './exchange.js';

/** A transport on which messages of all requests come in on one stream: stdio and HTTP+SSE. */
export interface Channel {
  readonly transport: 'stdio' | 'sse';
  readonly connection: number;
  readonly inbox: Mailbox<JsonObject>;
  /** What was received since this position, as it came, without the messages that do not belong to it. */
  textSince(position: number, isForeign?: (message: JsonObject) => boolean): string;
  post(
    text: string,
    headers?: Readonly<Record<string, string | null>>,
  ): Promise<(HttpHead & { readonly body: string }) | undefined>;
  /** Bytes as they are; only a process takes them. */
  write?(data: string | Uint8Array): void;
  /** How the process behind it ended by itself; a stream has none. */
  readonly death?: string | undefined;
  /** The lines of the process, from its first byte on; absent when other conversations share them. */
  readonly lines?: LineConnection | undefined;
  /** Why the program never ran. */
  readonly notStarted?: string | undefined;
  recipe(lines: readonly string[]): Recipe;
  close(): Promise<void>;
}
