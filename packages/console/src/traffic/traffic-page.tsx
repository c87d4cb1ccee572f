import type { CallSummary } from '@plugboard/contract';
import { useLocation, useParams } from 'wouter';
import { toApiError } from '../api/api-error.js';
import { useCallSummary, useCallHistory } from '../api/watch.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { Table } from '../ui/table.js';
import { Tabs } from '../ui/tabs.js';
import { ago, counted, milliseconds, percent, visible } from '../ui/format-text.js';
import { LiveCalls } from './live-calls.js';
import { OverTime } from './over-time.js';
import { errorShares } from './chart-lines.js';

const Figures = ({ summary }: { readonly summary: CallSummary }) =>
  summary.tools.length === 0 ? (
    <p className="quiet">No tool was called since the hub started {ago(summary.since)}.</p>
  ) : (
    <Table
      label="Figures of tools"
      heads={['Tool', 'Server', 'Calls', 'Failed', 'Tool errors', 'Success', 'p50', 'p95', 'p99', 'Slowest']}
    >
      {summary.tools
        .toSorted((left, right) => right.count - left.count)
        .map((figures) => (
          <tr key={`${figures.server}/${figures.tool}`}>
            <th scope="row">{visible(figures.tool)}</th>
            <td>{visible(figures.server)}</td>
            <td>{figures.count}</td>
            <td>{figures.failed}</td>
            <td>{figures.tool_errors}</td>
            <td>{percent(figures.success_rate)}</td>
            <td>{milliseconds(figures.p50_ms)}</td>
            <td>{milliseconds(figures.p95_ms)}</td>
            <td>{milliseconds(figures.p99_ms)}</td>
            <td>{milliseconds(figures.max_ms)}</td>
          </tr>
        ))}
    </Table>
  );

/** Errors of the last hour by their class. */
const ErrorClasses = () => {
  const history = useCallHistory();
  if (history.isError && history.data === undefined) return <Failure error={toApiError(history.error)} />;
  if (history.data === undefined) return <Skeleton lines={4} />;
  const shares = errorShares(history.data.outcomes);
  if (shares.length === 0) {
    return <p className="quiet">No call failed in the last hour. A restart of the hub clears these figures.</p>;
  }
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

export const TrafficPage = () => {
  const summary = useCallSummary();
  const [, navigate] = useLocation();
  const { tab = 'calls' } = useParams<{ tab?: string }>();
  const total = (summary.data?.methods ?? []).reduce((sum, { count }) => sum + count, 0);
  return (
    <Page
      title="Traffic"
      about={
        summary.data === undefined
          ? 'Requests since the hub started.'
          : `${counted(total, 'request')} since the hub started.`
      }
    >
      {summary.isError ? <Failure error={toApiError(summary.error)} /> : null}
      <Tabs
        label="Traffic"
        value={tab}
        onChange={(id) => navigate(`/traffic/${id}`, { replace: true })}
        tabs={[
          { id: 'calls', title: 'Live calls', content: () => <LiveCalls /> },
          { id: 'time', title: 'Over time', content: () => <OverTime /> },
          { id: 'errors', title: 'Errors by class', content: () => <ErrorClasses /> },
          {
            id: 'figures',
            title: 'Figures by tool',
            content: () => (summary.data === undefined ? <Skeleton /> : <Figures summary={summary.data} />),
          },
        ]}
      />
    </Page>
  );
};
