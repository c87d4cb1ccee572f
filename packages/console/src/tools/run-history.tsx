import { Trash2 } from 'lucide-react';
import type { PastRun } from '../api/kept-runs.js';
import { milliseconds, moment, visible } from '../ui/format-text.js';
import { Button } from '../ui/button.js';

interface RunHistoryProps {
  readonly runs: readonly PastRun[];
  readonly onPick: (run: PastRun) => void;
  readonly onAgain: (run: PastRun) => void;
  readonly onClear: () => void;
}

/** The calls of this tool from this browser. Each can be edited, or made again. */
export const RunHistory = ({ runs, onPick, onAgain, onClear }: RunHistoryProps) =>
  runs.length === 0 ? null : (
    <section className="stack tight">
      <div className="section-head">
        <h2>History</h2>
        <Button look="bare" icon={<Trash2 size={14} />} onClick={onClear}>
          Clear
        </Button>
      </div>
      <ul className="card rows" aria-label="History">
        {runs.map((run) => (
          <li key={run.id} className="history-line">
            <button type="button" className="history" onClick={() => onPick(run)}>
              <time dateTime={run.at}>{moment(run.at)}</time>
              <span className={run.failed ? 'field-error' : 'quiet'}>
                {run.failed ? 'failed' : milliseconds(run.ms)}
              </span>
              <code className="history-args">{visible(JSON.stringify(run.args).slice(0, 200))}</code>
            </button>
            <Button look="bare" onClick={() => onAgain(run)}>
              {run.hidden.length === 0 ? 'Replay' : 'Fill in'}
            </Button>
          </li>
        ))}
      </ul>
      <p className="quiet">Kept in this browser until you sign out, without arguments that look like secrets.</p>
    </section>
  );
