import type { CheckEra, CheckTransport } from '@plugboard/contract';
import type { HttpHead } from '../connection/http-exchange.js';
import type { JsonObject, MessageId } from '../connection/json.js';
import type { LineConnection } from '../connection/line-connection.js';
import type { Answer, Reply } from './answer.js';
import type { Death } from './death.js';
import type { Exchange } from './exchange.js';

export interface RequestOptions {
  readonly id?: MessageId;
  /** Further members of _meta; undefined ones are taken out of what would be sent by default. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** HTTP headers to set; null takes one away that would be sent by default. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly timeoutMs?: number;
  /** Ends the wait. A request with a signal is cancelled as the specification demands when it ends without an answer. */
  readonly signal?: AbortSignal;
  /** Sends the params as they are, without the metadata of the modern era. */
  readonly bare?: boolean;
}

/** What a server asked of its client. */
export interface ServerRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly message: JsonObject;
}

/** A result, an error object under `error`, or undefined for no answer at all. */
export type OnServerRequest = (request: ServerRequest) => JsonObject | { readonly error: JsonObject } | undefined;

export interface SessionOptions {
  readonly era: CheckEra;
  /** Default: the newest of the era. */
  readonly revision?: string;
  readonly capabilities?: JsonObject;
  readonly clientInfo?: JsonObject;
  /** Default: every request of the server is refused with -32601. */
  readonly onRequest?: OnServerRequest;
  /** Nothing is sent at the start: the check says the first word. */
  readonly unopened?: boolean;
  /** The check looks at how it was opened; otherwise a conversation that the server refuses ends the check. */
  readonly mayFail?: boolean;
  /** Never a process that another check has used: what comes right after the handshake matters. */
  readonly fresh?: boolean;
  /** HTTP headers for every request of this session. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** The outcome of a notification: nothing over stdio, a status over HTTP. */
export interface NoticeOutcome {
  readonly http: (HttpHead & { readonly body: string }) | undefined;
  readonly exchange: Exchange;
}

/** A conversation with the server in one era, over one transport. */
export interface Session {
  readonly era: CheckEra;
  readonly transport: CheckTransport;
  readonly revision: string;
  /** The answer to initialize or server/discover. */
  readonly opening: Answer;
  /** The outcome of `notifications/initialized`, in the legacy era. */
  readonly initialized: NoticeOutcome | undefined;
  readonly capabilities: JsonObject;
  /** Messages of the server that answer no request of ours. */
  readonly incoming: readonly JsonObject[];
  readonly connection: number;
  /** Over stdio: everything that the process wrote; undefined when it served another conversation before. */
  readonly lines?: LineConnection | undefined;
  /** How the server ended by itself; undefined while it is there. */
  readonly death: Death | undefined;
  /** Whether the server has forgotten this conversation, or closed it. */
  readonly isLost: boolean;
  /** The legacy session id of HTTP. */
  readonly sessionId: string | undefined;
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<Answer>;
  notify(method: string, params?: JsonObject, options?: RequestOptions): Promise<NoticeOutcome>;
  /** Sends any text as a message and collects what comes of it. */
  send(text: string, options?: Pick<RequestOptions, 'headers'>): Promise<Reply>;
  /** Waits for a message that answers no request. */
  waitFor(pick: (message: JsonObject) => boolean, ms?: number): Promise<JsonObject | undefined>;
  /** Resolves when the server has had time to say what it had to say. */
  settle(): Promise<void>;
  /** What is left unanswered, when the server fell silent. */
  silence(): Death;
  close(): Promise<void>;
}
