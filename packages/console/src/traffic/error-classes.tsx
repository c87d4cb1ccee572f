import { toApiError } from '../api/api-error.js';
import { useCallHistory } from '../api/watch.js';
import { Failure } from '../ui/failure.js';
import { Skeleton } from '../ui/skeleton.js';
import { percent, visible } from '../ui/words.js';
import { errorShares } from './chart-lines.js';

/** Errors of the last hour by their class. */
export const ErrorClasses = () => {
  const history = useCallHistory();
  if (history.isError && history.data === undefined) return <Failure error={toApiError(history.error)} />;
  if (history.data === undefined) return <Skeleton lines={4} />;
  const shares = errorShares(history.data.outcomes);
  if (shares.length === 0) return <p className="quiet">No call failed in the last hour.</p>;
  return (
    <div className="stack">
      <ul className="card rows" aria-label="Errors by class">
        {shares.map(({ outcome, count, share }) => (
          <li key={outcome} className="row share-row">
            <code>{visible(outcome)}</code>
            <span className="share" aria-hidden="true">
              <span className="share-bar" style={{ width: `${share * 100}%` }} />
            </span>
            <span className="row-fact">{count.toLocaleString('en')}</span>
            <span className="row-fact quiet">{percent(share)} of all calls</span>
          </li>
        ))}
      </ul>
      <p className="quiet">
        <code>tool_error</code> is a result in which the tool itself reports an error.{' '}
        <a href="/docs/errors" target="_blank" rel="noreferrer">
          What the other codes mean
        </a>
      </p>
    </div>
  );
};
