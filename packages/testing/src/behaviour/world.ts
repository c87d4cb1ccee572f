import type { FakeHost } from '../definition/host.js';
import type { FakeServerOptions } from '../definition/server-options.js';
import type { FaultScript } from '../fault/fault-script.js';
import type { Counters } from '../log/counters.js';
import type { ReceivedLog } from '../log/received-log.js';
import type { Offer } from '../state/offer.js';
import type { SessionTable } from '../state/session-table.js';
import type { SubscriptionTable } from '../state/subscription-table.js';

/** One fake server's state, shared by its behaviour and its transports. */
export interface World {
  readonly options: FakeServerOptions;
  readonly revisions: readonly string[];
  readonly offer: Offer;
  readonly sessions: SessionTable;
  readonly subscriptions: SubscriptionTable;
  readonly log: ReceivedLog;
  readonly counters: Counters;
  readonly script: FaultScript;
  readonly host: FakeHost;
  /** Signs requestState, so that a changed one is detected. */
  readonly stateKey: Uint8Array;
}
