import type { FakeServerOptions } from '../../definition/server-options.js';
import type { JsonObject } from '../../json-rpc/message.js';
import type { Protection } from './protection.js';

export type MutantTransport = 'stdio' | 'streamable-http' | 'sse';

/** What a filter knows of the message that it looks at. */
export interface MutationContext {
  readonly transport: MutantTransport;
  /** The request of the client that a message of the server answers, or that it came along with. */
  readonly request: JsonObject | undefined;
}

export interface HttpAsked {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HttpAnswered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** How the process behind a stdio server behaves, apart from its messages. */
export interface ProcessMutation {
  /** Text on stdout before anything else. */
  readonly banner?: string;
  /** What is written for a message in place of its line; line breaks included. */
  readonly line?: (line: string, message: JsonObject | undefined) => string | Uint8Array;
  /** What the server gets in place of bytes that came in one piece. */
  readonly input?: (chunk: Uint8Array) => Uint8Array | undefined;
  readonly ignoreEnd?: boolean;
  readonly ignoreTerm?: boolean;
  readonly exitCode?: number;
  readonly stderr?: string;
}

/**
 * One defect, as a change to what a correct server is, gets or says. Everything is optional; what is absent stays as the
 * reference does it.
 */
export interface Mutation {
  /** Changes the definition of the server. */
  readonly options?: (options: FakeServerOptions) => FakeServerOptions;
  /** What the server gets in place of a message of the client; undefined: it never arrives. */
  readonly toServer?: (message: JsonObject, context: MutationContext) => JsonObject | undefined;
  /** Answers in place of the server; undefined: the server answers. */
  readonly answer?: (message: JsonObject, context: MutationContext) => JsonObject | undefined;
  /** What the client gets in place of a message of the server: another, several or none. */
  readonly toClient?: (message: JsonObject, context: MutationContext) => JsonObject | readonly JsonObject[] | undefined;
  /** Whether this message of the client is the end of the server: the process exits, and nothing listens any more. */
  readonly dies?: (message: JsonObject) => boolean;
  readonly http?: {
    /** What reaches the server in place of a request. */
    readonly request?: (asked: HttpAsked) => HttpAsked;
    /** Answers in place of the server; undefined: the server answers. */
    readonly answer?: (asked: HttpAsked) => (HttpAnswered & { readonly body?: string }) | undefined;
    /** Changes status and headers of the answer. */
    readonly response?: (answered: HttpAnswered, asked: HttpAsked) => HttpAnswered;
    /** Whether the client never gets this answer, and is left waiting. */
    readonly withhold?: (answered: HttpAnswered, asked: HttpAsked) => boolean;
    /** Whether a second response follows this one on the kept connection, which nobody asked for. */
    readonly surplus?: (asked: HttpAsked) => boolean;
    /** Whether an answer goes to the streams of GET as well; over HTTP+SSE to those of other clients. */
    readonly broadcast?: (message: JsonObject) => boolean;
    /** Where it listens; default: 127.0.0.1. */
    readonly host?: string;
    /** Changes the text of one server-sent event, its empty line included. */
    readonly event?: (text: string, asked: HttpAsked) => string;
  };
  /** A function when the defect has a memory: each process gets its own. */
  readonly process?: ProcessMutation | (() => ProcessMutation);
  /** Puts the server behind OAuth over Streamable HTTP, with what is wrong about that. */
  readonly protection?: Protection;
}
