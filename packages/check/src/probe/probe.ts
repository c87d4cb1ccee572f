import type { CheckAggregatedServer, CheckEra, CheckTransport } from '@plugboard/contract';
import type { ByteConnection } from '../connection/byte-connection.js';
import type { HttpExchange } from '../connection/http-exchange.js';
import type { JsonObject } from '../connection/json.js';
import type { Line, LineConnection } from '../connection/line-connection.js';
import type { ServerFacts } from '../discovery/server-facts.js';
import type { Observations } from '../session/observations.js';
import type { SchemaOracle } from '../oracle/schema-oracle.js';
import type { Answer, Reply } from '../session/answer.js';
import type { Death } from '../session/death.js';
import type { RequestOptions, Session, SessionOptions } from '../session/session.js';
import type { CheckTarget } from '../target/target.js';
import type { Silence } from '../session/silences.js';
import type { CallDecision } from '../calls/call-policy.js';
import type { CallableTool, ListedTool } from '../calls/tool.js';

export interface RawRequest {
  readonly method?: string;
  /** Changes to the headers that a proper message would have; null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array;
  /** Instead of the endpoint's own. */
  readonly url?: string;
  /** Whether the usual content-type and accept are sent; default true. */
  readonly usual?: boolean;
  /** It carries or brings secrets: none of the target's headers goes along, and the transcript does not show it. */
  readonly confidential?: boolean;
}

/** A prompt that may be got, and with what. */
export interface CallablePrompt {
  readonly prompt: JsonObject;
  /** Allowed explicitly: as often as a check likes, and with any arguments. */
  readonly free: boolean;
  readonly arguments: JsonObject;
}

/** What a check is given: verbs, so that its code reads like its sentence. Whatever is opened is closed after the check. */
export interface Probe {
  readonly era: CheckEra;
  readonly transport: CheckTransport;
  readonly target: CheckTarget;
  readonly facts: ServerFacts;
  readonly observations: Observations;
  /** The shapes that a revision prescribes; undefined when there is no such revision. */
  readonly oracle: (revision: string) => SchemaOracle | undefined;
  readonly seed: number;
  readonly signal: AbortSignal;
  /** Whether this is the second try of a broken check, on processes that no other check has used. */
  readonly isSecondTry: boolean;
  /** Whether tools with side effects and harmful payloads may be used. */
  readonly intrusive: boolean;
  /** The endpoint; undefined for a program. */
  readonly url: string | undefined;
  /** The conversation that all checks of an era share; it declared no capability. Default: the era of this run. */
  session(era?: CheckEra): Session;
  /** A conversation of its own: a new process, a new session. */
  open(options?: Partial<SessionOptions>): Promise<Session>;
  /** One HTTP request and its whole answer. */
  http(request: RawRequest): Promise<Reply>;
  /** One HTTP request whose answer may stay open. */
  stream(request: RawRequest): Promise<HttpExchange>;
  /** A bare socket to the endpoint. */
  bytes(): Promise<ByteConnection>;
  /** A bare process, before any message. */
  spawn(): LineConnection;
  /** What `pick` finds in the first lines of a bare process; throws when it stays silent although others answer. */
  firstLine<R>(lines: LineConnection, pick: (line: Line) => R | undefined, ms?: number): Promise<R | undefined>;
  /** Every page of the list, read once per era for all first tries, and once more for all second ones. */
  tools(): Promise<readonly ListedTool[]>;
  resources(): Promise<readonly JsonObject[]>;
  resourceTemplates(): Promise<readonly JsonObject[]>;
  prompts(): Promise<readonly JsonObject[]>;
  /** Those of these URIs that no resource template of the server could serve: a template is code, and may not be run. */
  unserved(uris: readonly string[]): Promise<readonly string[]>;
  /** What may be called, and why the rest may not. */
  decisions(): Promise<readonly (readonly [ListedTool, CallDecision])[]>;
  promptDecisions(): Promise<readonly (readonly [JsonObject, CallDecision])[]>;
  /** Tools that may be called freely: the target allows them, or the run is intrusive. */
  callable(): Promise<readonly CallableTool[]>;
  /** Those, and tools that are harmless by annotation, name and lint. For what all checks share: `exercise`, `agreeable`. */
  samplable(): Promise<readonly CallableTool[]>;
  /** Prompts that may be got. */
  gettable(): Promise<readonly CallablePrompt[]>;
  /** Calls a tool that may be called, with the headers that its schema asks for. */
  call(session: Session, tool: ListedTool, args: JsonObject, options?: RequestOptions): Promise<Answer>;
  /** The names of the tools that a server behind this one lists itself; throws when it cannot be asked. */
  toolsBehind(server: CheckAggregatedServer): Promise<readonly string[]>;
  /** Requests that the server did not answer at two tries, although it answered others. */
  silences(): readonly Silence[];
  /** Each time that the server went away or fell silent in this run; asks whether it is still there. */
  deaths(): Promise<readonly Death[]>;
  /**
   * Finds something out once per era, for all checks that ask for it under this name; once more for their second tries
   * unless it is kept, because finding it out leaves something behind.
   */
  once<T>(name: string, findOut: () => Promise<T>, options?: { readonly isKept?: boolean }): Promise<T>;
}
