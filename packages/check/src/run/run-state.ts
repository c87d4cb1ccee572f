import { CallLedger } from '../calls/ledger.js';
import { createOracles } from '../oracle/schema-oracle.js';
import { Memories } from '../probe/memory.js';
import type { RunState } from '../probe/run-state.js';
import { ProcessPool } from '../session/process-pool.js';
import { Pulse } from '../liveness/pulse.js';
import { Silences } from '../session/silences.js';

/** What all checks of a run share, at its beginning. */
export const runStateOf = (given: Pick<RunState, 'link' | 'target' | 'facts' | 'seed' | 'mask' | 'from'>): RunState => {
  const memories = new Memories();
  const pulse = new Pulse(given.link, given.facts, () => memories.clear());
  const ledger = new CallLedger(given.target);
  given.link.transcript.onSent = (text) => ledger.sent(text);
  const pool = new ProcessPool(given.link);
  return {
    ...given,
    ledger,
    oracle: createOracles(),
    memories,
    turns: new Map(),
    pulse,
    silences: new Silences(),
    pool,
  };
};
