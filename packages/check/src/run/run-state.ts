import { CallLedger } from '../calls/ledger.js';
import { createOracles } from '../oracle/schema-oracle.js';
import type { RunState } from '../probe/run-probe.js';
import { ProcessPool } from '../session/process-pool.js';
import { Pulse } from '../vitality/pulse.js';

/** What all checks of a run share, at its beginning. */
export const runStateOf = (given: Pick<RunState, 'link' | 'target' | 'facts' | 'seed' | 'mask' | 'from'>): RunState => {
  const lists: RunState['lists'] = new Map();
  const known: RunState['known'] = new Map();
  const pulse = new Pulse(given.link, given.facts, () => {
    // What was asked of the old conversation may have failed with it.
    lists.clear();
    known.clear();
  });
  const ledger = new CallLedger();
  given.link.transcript.onSent = (text) => ledger.sent(text);
  const pool = new ProcessPool(given.link);
  return { ...given, ledger, oracle: createOracles(), lists, known, turns: new Map(), pulse, pool };
};
