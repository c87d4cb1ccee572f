import type { JsonRpcMessage } from '@plugboard/wire';
import type { Redact } from '../redact/redaction.js';
import type { TransportKind } from './transport.js';

/** A message between this client and its server. */
export interface SeenMessage {
  readonly direction: 'sent' | 'received';
  readonly transport: TransportKind;
  readonly message: JsonRpcMessage;
  /** The call that it belongs to, as its caller named it. */
  readonly callId: string | undefined;
  /** Takes this server's secrets out of a text. */
  readonly redact: Redact;
}

/** Looks at the messages of a connection. Nothing is prepared for it while it is closed. */
export interface WireTap {
  /** Asked for every message. */
  readonly isOpen: boolean;
  see(seen: SeenMessage): void;
}
