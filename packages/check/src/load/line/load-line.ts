import type { CheckEra, CheckTransport } from '@plugboard/contract';
import type { JsonObject } from '../../connection/json.js';
import type { HeldStream } from './held-stream.js';
import type { Resumption } from './resumed-request.js';
import type { StreamWatch } from './stream-watch.js';

/** One request as a line sends it. */
export interface Sent {
  readonly id: number;
  readonly text: string;
  /** Headers of HTTP besides those of the session; the same object for requests of the same kind. */
  readonly headers: Readonly<Record<string, string>>;
  /** The token of its progress, if the call reports any. */
  readonly progressToken?: string | undefined;
}

/** What came of a request. */
export type Arrival =
  | {
      readonly kind: 'answer';
      readonly at: number;
      /** When the first message of the call came: a report of progress, or the answer itself. */
      readonly firstAt: number;
      readonly message: JsonObject;
      /** The answer as it came. */
      readonly text: string;
      /** What came before it, on its own stream. */
      readonly notices: readonly JsonObject[];
      /** Answers that came besides it. */
      readonly surplus: number;
    }
  | { readonly kind: 'failure'; readonly at: number; readonly error: string };

/** A message that answers no open request of this line. */
export type OnStray = (message: JsonObject) => void;

/** A way to the server with a session of its own. */
export interface LoadLine {
  readonly era: CheckEra;
  readonly revision: string;
  readonly transport: CheckTransport;
  /** The process behind it, when this line started one. */
  readonly pid: number | undefined;
  /** Whether the process behind it ended by itself; absent when this line started none. */
  readonly hasEnded?: boolean;
  request(sent: Sent, deadlineMs: number): Promise<Arrival>;
  /** Holds the stream for messages that answer no request; absent where there is none. */
  listen?(watch: StreamWatch): HeldStream;
  /** Sends a request whose stream is cut and resumed; absent where nothing can be resumed. */
  resume?(sent: Sent, deadlineMs: number, signal: AbortSignal): Promise<Resumption>;
  close(): Promise<void>;
}
