import type { StreamPiece } from '../wire/stream-piece.js';

export interface ScriptedToolCall {
  readonly name: string;
  /** A string is sent as it is: incomplete JSON, or none at all. */
  readonly arguments: object | string;
  /** Default: an id in the style of the provider. */
  readonly id?: string;
}

/** Token counts; what is left out is counted from the texts, at four characters to a token. */
export interface ScriptedUsage {
  readonly input?: number;
  readonly output?: number;
  readonly cachedInput?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}

/** What goes wrong with a turn. */
export type LlmFault =
  /** An error of the provider, in its own format: type, code and message are its usual ones unless you give them. */
  | {
      readonly status: number;
      readonly type?: string;
      readonly code?: string;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection breaks after this many events of the stream; without a stream, at once. */
  | { readonly cutAfter: number }
  /** After this many events the stream contains something that is not JSON. */
  | { readonly malformedAfter: number }
  /** After this many events the provider reports an error inside the stream. */
  | { readonly errorAfter: number }
  /** Waits before each event. */
  | { readonly everyMs: number }
  /** Status 200 with this body, whatever was asked. */
  | { readonly body: string; readonly contentType?: string }
  | 'hang';

/** One answer of the model, in no provider's words. */
export interface Turn {
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** The finish reason in the provider's own word; default: the one that fits. */
  readonly finish?: string;
  /** `null`: the provider reports no usage. */
  readonly usage?: ScriptedUsage | null;
  /** How many characters go into one event of a stream. Default: 8. */
  readonly chunk?: number;
  readonly fault?: LlmFault;
  /** Changes the JSON of an answer that is not streamed, last of all. */
  readonly tamper?: (body: Record<string, unknown>) => unknown;
  /** Changes the events of a streamed answer, last of all. */
  readonly tamperStream?: (pieces: readonly StreamPiece[]) => readonly StreamPiece[];
}
