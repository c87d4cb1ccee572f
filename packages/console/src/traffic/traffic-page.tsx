import type { CallSummary } from '@plugboard/contract';
import { useState } from 'react';
import { toApiError } from '../api/api-error.js';
import { useCallSummary } from '../api/watch.js';
import { Failure } from '../ui/failure.js';
import { Page } from '../ui/page.js';
import { Skeleton } from '../ui/skeleton.js';
import { Table } from '../ui/table.js';
import { Tabs } from '../ui/tabs.js';
import { ago, counted, milliseconds, percent, visible } from '../ui/words.js';
import { ErrorClasses } from './error-classes.js';
import { LiveCalls } from './live-calls.js';
import { OverTime } from './over-time.js';

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

export const TrafficPage = () => {
  const summary = useCallSummary();
  const [tab, setTab] = useState('calls');
  const total = (summary.data?.methods ?? []).reduce((sum, { count }) => sum + count, 0);
  return (
    <Page title="Traffic" about={`${counted(total, 'request')} since the hub started.`}>
      {summary.isError ? <Failure error={toApiError(summary.error)} /> : null}
      <Tabs
        label="Traffic"
        value={tab}
        onChange={setTab}
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
