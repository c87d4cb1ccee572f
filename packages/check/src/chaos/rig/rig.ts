import type { CheckTransport } from '@plugboard/contract';
import type { FaultBoard, ProxyFault } from '@plugboard/testing/fault-proxy';
import type { ClientUnderTest } from './subject.js';

/** A subject, a server, and the fault proxy between them. */
export interface Rig {
  readonly transport: CheckTransport;
  readonly board: FaultBoard;
  /** Resolves when the proxy has them. */
  arm(faults: readonly ProxyFault[]): Promise<void>;
  readonly caller: ClientUnderTest;
  close(): Promise<void>;
}
