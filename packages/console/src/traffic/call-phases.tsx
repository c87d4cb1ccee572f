import type { AuditEntry } from '@plugboard/contract';
import { milliseconds } from '../ui/words.js';
import { phaseBars } from './recorded-call.js';

/** Where the time of a call went. */
export const CallPhases = ({ entry }: { readonly entry: AuditEntry }) => {
  const bars = phaseBars(entry);
  return (
    <section className="stack tight">
      <h3>Phases</h3>
      {bars.length === 0 ? (
        <p className="quiet">
          Total only: the call took the fast path, where the hub measures no phases, or the hub answered it itself.
        </p>
      ) : (
        <ul className="phases" aria-label="Phases">
          {bars.map(({ phase, words, ms, start, width }) => (
            <li key={phase} className="phase">
              <span>{words}</span>
              <span className="waterfall" aria-hidden="true">
                <span className="waterfall-bar good" style={{ left: `${start * 100}%`, width: `${width * 100}%` }} />
              </span>
              <span className="quiet">{milliseconds(ms)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
