import type { ScriptRule } from '../fault/script-rule.js';
import type { JsonObject } from '../json-rpc/message.js';
import type { Eras } from './era.js';
import type { FakeHost } from './host.js';
import type { FakePrompt } from './prompt.js';
import type { FakeResource, FakeResourceTemplate } from './resource.js';
import type { FakeCall } from './tool-call.js';
import type { ToolSpec } from './tool.js';

/** How a POST is answered: `auto` is JSON until something must be streamed. */
export type AnswerMode = 'auto' | 'json' | 'sse';

export type MethodHandler = (params: JsonObject, call: FakeCall) => JsonObject | Promise<JsonObject>;

export interface CompletionQuery {
  readonly ref: JsonObject;
  readonly argument: string;
  readonly value: string;
}

export interface FakeServerOptions {
  readonly name?: string;
  readonly version?: string;
  /** Further members of serverInfo. */
  readonly serverInfo?: JsonObject;
  readonly instructions?: string;
  /** Default: the stock tools `echo` and `add`. */
  readonly tools?: readonly ToolSpec[];
  readonly resources?: readonly FakeResource[];
  readonly resourceTemplates?: readonly FakeResourceTemplate[];
  readonly prompts?: readonly FakePrompt[];
  /** Values per argument name (those that start with what was typed are given), or a function. */
  readonly completions?:
    | Readonly<Record<string, readonly string[]>>
    | ((query: CompletionQuery) => readonly string[] | Promise<readonly string[]>);
  /** Replaces what would be derived from the definition. */
  readonly capabilities?: JsonObject;
  /** Modern era: the extensions that the server declares besides its capabilities. */
  readonly extensions?: JsonObject;
  /** Default: legacy. */
  readonly eras?: Eras;
  /** Default: every published revision of the eras. */
  readonly revisions?: readonly string[];
  /** Elements per page of each list; default: all on one page. */
  readonly pageSize?: number;
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
  readonly answers?: AnswerMode;
  /** Legacy HTTP without session ids. */
  readonly stateless?: boolean;
  /** Legacy HTTP: false answers GET with 405. */
  readonly getStream?: boolean;
  /** Legacy HTTP: false answers DELETE with 405. */
  readonly deleteSession?: boolean;
  /** Legacy HTTP: event ids, a priming event and replay after Last-Event-ID. */
  readonly resumable?: boolean;
  /** Names that Host and Origin may carry besides the loopback ones. */
  readonly allowedHosts?: readonly string[];
  /** Any of these missing or different is answered with 401. */
  readonly requireHeaders?: Readonly<Record<string, string>>;
  /** Methods that the specification does not know. */
  readonly methods?: Readonly<Record<string, MethodHandler>>;
  readonly script?: readonly ScriptRule[];
  readonly host?: FakeHost;
}
