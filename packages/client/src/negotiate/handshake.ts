import type { RequestId } from '@plugboard/wire';
import type { Redact } from '../redact/redaction.js';
import type { Incoming, Transport } from '../transport/transport.js';
import type { ClientIdentity } from './agreement.js';

/** What both ways of opening a conversation need. */
export interface Handshake {
  readonly transport: Transport;
  readonly nextId: () => RequestId;
  readonly identity: ClientIdentity;
  readonly signal: AbortSignal;
  readonly host: string;
  readonly redact: Redact;
  readonly onIncoming: (incoming: Incoming) => void;
}
