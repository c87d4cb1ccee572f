import type { Era } from '../definition/era.js';
import type { JsonRpcMessage } from '../json-rpc/message.js';
import type { TransportKind } from '../log/received.js';
import type { Session } from '../state/session.js';

/** What a transport gives the behaviour along with one message. */
export interface Exchange {
  readonly transport: TransportKind;
  readonly era: Era;
  /** Legacy: the client's session. Stdio: also the modern era has one, for its requests in flight. */
  readonly session: Session | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborted when the client went away. */
  readonly signal: AbortSignal;
  /** Ends the connection under the answer, where each answer has its own. */
  readonly breakConnection?: () => void;
  /** Sends something that belongs to this request. */
  readonly send: (message: JsonRpcMessage) => void;
}
