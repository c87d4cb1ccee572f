import type { JsonObject, JsonRpcNotification, RequestId, Revision } from '@plugboard/wire';
import type { Route } from './route.js';
import type { Scope } from './scope.js';
import type { CallTimes } from './call-times.js';
import type { CallFlow } from './call-flow.js';
import type { Caller } from './caller.js';
import type { SentCall } from './sent-call.js';

/** Who asks, as its handshake or the request itself told it. */
export interface ClientFacts {
  readonly revision: Revision;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject | undefined;
  readonly caller: Caller;
}

/** Sends a request to the client and waits for its result; rejects with what the client answered. */
export type Ask = (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;

/** Answers what a server asks while it works on a call that has no session. */
export interface ServerQuestions {
  /** What may be asked, as the capabilities of a client. */
  readonly capabilities: JsonObject;
  readonly ask: Ask;
}

/** The way back to the client while its request is in progress. */
export interface ReplyChannel {
  notify(notification: JsonRpcNotification): void;
  /** Undefined while the client reads what it is sent; else settles when it does, or is gone. */
  readonly drained?: (() => Promise<void> | undefined) | undefined;
  /** Missing where the client cannot be asked: the modern era, and most requests outside a session. */
  readonly ask?: Ask | undefined;
}

/** What one session sees of its endpoint, where that is not what everybody sees. */
export interface SessionView {
  readonly scope: Scope;
  /** Settles when lists that are said to have changed were read; undefined when there are none. */
  readonly due: Promise<void> | undefined;
}

/** What a legacy client keeps with us between its requests. */
export interface ClientSession {
  readonly id: string;
  /** What everybody sees who uses the endpoint of the session. */
  readonly endpoint: Scope;
  /** Undefined for nearly all sessions: they see what everybody sees. */
  view: SessionView | undefined;
  readonly client: ClientFacts;
  /** The level the client asked for; undefined: whatever the server thinks right. */
  logLevel: string | undefined;
  /** Outside any request. */
  readonly channel: ReplyChannel;
  /** The client subscribed to a resource, or no longer wants to be. */
  noteSubscription?(uri: string, isOn: boolean): void;
  /** Called when the session is over; at once when it already is. */
  onEnd(listener: () => void): void;
}

/** What those who watch a request from outside learn of it while it is on its way. */
export interface CallNotes {
  route?: Route | undefined;
  /** When it passed the stations of the full path. */
  times?: CallTimes | undefined;
  /** Present while somebody follows requests. */
  readonly flow?: CallFlow | undefined;
}

/** One request of a client on its way through the gateway. */
export interface McpCall {
  readonly id: RequestId;
  readonly method: string;
  readonly params: JsonObject;
  readonly client: ClientFacts;
  readonly session: ClientSession | undefined;
  readonly scope: Scope;
  readonly reply: ReplyChannel;
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** From which level on the client wants log messages of this request. */
  readonly logLevel: string | undefined;
  /** HTTP fields of the client's request, names in lower case; empty on other transports. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Why it did not take the fast path; known only while somebody follows requests. */
  readonly obstacle?: string | undefined;
  /** Present when the request is with its server already. */
  readonly sent?: SentCall | undefined;
  /** How long the message is that brought it; unknown where it did not come as a body. */
  readonly bodyBytes?: number | undefined;
  /** Known once the request has been routed. */
  readonly route?: Route | undefined;
  /** Present when somebody watches. */
  readonly notes?: CallNotes | undefined;
}
