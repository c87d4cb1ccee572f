import { milliseconds, visible } from '../ui/format-text.js';
import { Button } from '../ui/button.js';
import type { PastRun } from './tool-run.js';

type Arguments = Readonly<Record<string, unknown>>;

interface RunHistoryProps {
  readonly runs: readonly PastRun[];
  readonly onPick: (args: Arguments) => void;
  readonly onAgain: (args: Arguments) => void;
}

/** The calls of this tool from this page. Each can be edited, or made again. */
export const RunHistory = ({ runs, onPick, onAgain }: RunHistoryProps) =>
  runs.length === 0 ? null : (
    <section className="stack tight">
      <h2>History</h2>
      <ul className="card rows" aria-label="History">
        {runs.map(({ id, at, args, ms, failed }) => (
          <li key={id} className="history-line">
            <button type="button" className="history" onClick={() => onPick(args)}>
              <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>
              <span className={failed ? 'field-error' : 'quiet'}>{failed ? 'failed' : milliseconds(ms)}</span>
              <code className="history-args">{visible(JSON.stringify(args).slice(0, 200))}</code>
            </button>
            <Button look="bare" onClick={() => onAgain(args)}>
              Replay
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
