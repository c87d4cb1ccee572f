import type { JsonObject, JsonRpcId } from '../json-rpc/message.js';
import type { Era } from './era.js';
import type { FakeHost } from './host.js';

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency';

/** One thing that a server asks its client for. */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params?: JsonObject;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a handler knows of the request that it answers, and how it speaks to the client meanwhile. */
export interface FakeCall {
  readonly era: Era;
  readonly requestId: JsonRpcId;
  readonly sessionId: string | undefined;
  readonly meta: JsonObject;
  /** Legacy: what the client wants of the task that it asks for; undefined when it asks for none. */
  readonly task: JsonObject | undefined;
  /** What the client declared: with this request, or when its session began. */
  readonly clientCapabilities: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** The `settings` of the tool, as they were defined. */
  readonly settings: JsonObject;
  readonly host: FakeHost;
  /** Sent only when the client gave a progress token. */
  progress(progress: Progress): void;
  log(level: LogLevel, data: unknown, logger?: string): void;
  /**
   * Asks the client. Legacy: requests to the client. Modern: the handler is left, the client gets an input_required
   * result, and the handler runs again from its start with the answers at hand.
   */
  ask(requests: Readonly<Record<string, InputRequest>>): Promise<Readonly<Record<string, JsonObject>>>;
  /** Tells every client of a change, as `FakeServer.notify` does. */
  announce(method: string, params?: JsonObject): void;
  /** Legacy HTTP: ends the connection that the answer was to come on; a resumable stream lives on without it. */
  breakConnection(): void;
  elicit(params: JsonObject): Promise<JsonObject>;
  sample(params: JsonObject): Promise<JsonObject>;
  roots(): Promise<JsonObject>;
}
