import type { CheckEra } from '@plugboard/contract';
import type { CallLedger } from '../calls/ledger.js';
import type { ServerFacts } from '../discovery/server-facts.js';
import type { SchemaOracle } from '../oracle/schema-oracle.js';
import type { Link } from '../session/link.js';
import type { ProcessPool } from '../session/process-pool.js';
import type { Silences } from '../session/silences.js';
import type { Mask } from '../target/mask-secrets.js';
import type { CheckTarget } from '../target/target.js';
import type { Pulse } from '../liveness/pulse.js';
import type { Memories } from './memory.js';

/** What all probes of a run share. */
export interface RunState {
  readonly link: Link;
  readonly target: CheckTarget;
  readonly facts: ServerFacts;
  readonly seed: number;
  /** How the operator named the target, when not by its address. */
  readonly from: string | undefined;
  readonly oracle: (revision: string) => SchemaOracle | undefined;
  /** What the first tries of all checks share, the second ones, and so on. */
  readonly memories: Memories;
  /** Takes what is secret out of a text. */
  readonly mask: Mask;
  /** Whether the target still answers. */
  readonly pulse: Pulse;
  /** What it does not answer, although it is there. */
  readonly silences: Silences;
  /** For each era: when the shared conversation is free for a check that wants it for itself. */
  readonly turns: Map<CheckEra, Promise<void>>;
  /** How often what was called. */
  readonly ledger: CallLedger;
  /** Where conversations come from; every one is new when left out. */
  readonly pool?: ProcessPool | undefined;
  /** Whether a server that limits its clients did so after a pause as well. */
  readonly overload: { isLasting: boolean };
}
