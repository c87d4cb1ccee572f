import type { ServerProtocol } from '@plugboard/contract';
import type { Agreement } from '../negotiate/agreement.js';
import type { Transport } from '../transport/transport.js';

/** A link that is open and agreed upon. */
export interface LiveSession {
  /** Grows with every session of a client, so that each loss is handled once. */
  readonly generation: number;
  readonly transport: Transport;
  readonly agreement: Agreement;
  readonly protocol: ServerProtocol;
}
