import type { Era } from '../definition/era.js';
import type { JsonObject, JsonRpcId } from '../json-rpc/message.js';

export type TransportKind = 'streamable-http' | 'sse' | 'stdio' | 'external';

/** One thing that a fake received. */
export interface Received {
  /** Counted from 1 over everything received. */
  readonly position: number;
  readonly transport: TransportKind;
  readonly kind: 'request' | 'notification' | 'response' | 'http';
  /** The JSON-RPC method, or the HTTP verb of a request without a message; empty for a response. */
  readonly method: string;
  readonly id: JsonRpcId | undefined;
  readonly params: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  readonly sessionId: string | undefined;
  readonly era: Era | undefined;
  /** Which connection brought it, counted from 1 per fake. */
  readonly connection: number;
}
