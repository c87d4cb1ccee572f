import type { ToolDefinition } from '@plugboard/contract';
import type { JsonRpcNotification, RequestId } from '@plugboard/wire';
import type { UnderWay } from '../fast-path/line/sent-request.js';
import type { ProgressListener } from '../session/progress.js';
import type { OpenLargeAnswer } from '../transport/large-answer.js';
import type { Pace } from '../transport/transport.js';
import type { RequestHandler } from '../session/server-requests.js';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ProgressListener | undefined;
  /** Progress may come after the answer, as that of a task does, until this aborts. */
  readonly progressUntil?: AbortSignal | undefined;
  /** The caller: a fair queue takes turns between callers. */
  readonly caller?: string | undefined;
  readonly deadlineMs?: number | undefined;
  /** How long waits before attempts, such as a pause that the server asked for, may take; as long as the deadline. */
  readonly patienceMs?: number | undefined;
  /** Told how long such a wait will still take. */
  readonly onWait?: ((leftMs: number) => void) | undefined;
  /** Sent along; says that the server executes the call at most once for this key, so it may be retried. */
  readonly idempotencyKey?: string | undefined;
  /** The call changes nothing and may be retried, whatever the tool's annotations say. */
  readonly readOnly?: boolean | undefined;
  /** The tool's definition, when the caller knows it and this client has not listed it. */
  readonly tool?: ToolDefinition | undefined;
  /** Asks a modern server for its log messages from this level on. */
  readonly logLevel?: string | undefined;
  /** HTTP fields of this call alone. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns an `input_required` result instead of answering it with the registered handlers. */
  readonly allowInputRequired?: boolean | undefined;
  /** The request was sent on the fast path and continues here. */
  readonly underWay?: UnderWay | undefined;
  /** Notifications that came on behalf of this call. */
  readonly onNotification?: ((notification: JsonRpcNotification) => void) | undefined;
  /** Asked after each message of this call: the next is read when the promise settles. */
  readonly pace?: Pace | undefined;
  /** The id under which a tap sees the messages of this call. */
  readonly callId?: string | undefined;
  /** Told the id under which the request goes out, each time it does. */
  readonly onSend?: ((id: RequestId, attempt: number) => void) | undefined;
  /** Reads an answer that is too large for the event loop. */
  readonly openLarge?: OpenLargeAnswer | undefined;
  /** Answers what the server asks on behalf of this call. */
  readonly onRequest?: RequestHandler | undefined;
}

export interface ListToolsOptions extends RequestOptions {
  /** The last list will do. */
  readonly cached?: boolean | undefined;
}
